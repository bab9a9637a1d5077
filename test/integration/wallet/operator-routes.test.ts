import { randomUUID } from "node:crypto";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "../access/access-world";
import { eventually } from "../bus/bus-testbed";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { startWalletWorld, type WalletWorld } from "./wallet-world";

const bobToken = "another-token-of-at-least-32-characters";
const field = (answer: HttpAnswer, name: string): unknown => Reflect.get(Object(answer.json) as object, name);

describe("the ledger's operator API", () => {
  let ledger: WalletWorld;
  let world: AccessWorld;
  let service: Running;
  let port: number;
  beforeAll(async () => {
    ledger = await startWalletWorld();
    const wallet = await startWallet(readWalletConfig(ledger.environment), { clock: { now: () => ledger.now } });
    service = wallet;
    world = await startAccessWorld({
      tenants: [makeTenant("demo")],
      gateway: { WALLET_TARGET: `ipv4:127.0.0.1:${wallet.port}` },
    });
    const OPERATOR_TOKENS_FILE = world.file("two", `ada ${operatorToken}\nbob ${bobToken}\n`);
    const gateway = await world.startGateway({
      OPERATOR_FOUR_EYES: "on",
      OPERATOR_TOKENS_FILE,
      WALLET_TARGET: `ipv4:127.0.0.1:${wallet.port}`,
    });
    port = gateway.operatorPort ?? 0;
  });
  afterAll(async () => {
    await world.stop();
    await service.stop();
    await ledger.stop();
  });

  const send = (token: string, method: string, path: string, fields?: object & { approval?: string }) => {
    const { approval, ...body } = fields ?? {};
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return httpCall(port, path, {
      method,
      headers: { ...headers, ...(approval === undefined ? {} : { "x-approval": approval }) },
      ...(fields === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  const correction = (more: object = {}) => ({
    entryId: randomUUID(),
    kind: "write-off",
    reason: "the rail has paid twice",
    links: ["case-1"],
    postings: [
      { account: "platform/write-offs", currency: "USD", minor: "9007199254740993" },
      { account: "provider/pix/clearing", currency: "USD", minor: "-9007199254740993" },
    ],
    ...more,
  });

  it("posts a correction that two operators agree on, exactly, and shows it", async () => {
    const body = correction();
    const approval = String(field(await send(operatorToken, "POST", "/ledger/corrections", body), "approval"));
    expect((await send(operatorToken, "GET", `/ledger/entries/${body.entryId}`)).status).toBe(404);
    expect((await send(operatorToken, "POST", "/ledger/corrections", { ...body, approval })).status).toBe(409);
    const other = { ...body, reason: "another", approval };
    expect((await send(bobToken, "POST", "/ledger/corrections", other)).status).toBe(409);
    const posted = await send(bobToken, "POST", "/ledger/corrections", { ...body, approval });
    expect(posted).toMatchObject({ status: 200, json: { entry: { label: "write-off", links: ["case-1"] } } });
    expect((await send(bobToken, "POST", "/ledger/corrections", { ...body, approval })).status).toBe(409);
    const again = String(field(await send(bobToken, "POST", "/ledger/corrections", body), "approval"));
    expect(await send(operatorToken, "POST", "/ledger/corrections", { ...body, approval: again })).toEqual(
      expect.objectContaining({ status: 200, json: posted.json }),
    );

    const shown = await send(operatorToken, "GET", `/ledger/entries/${body.entryId}`);
    expect(shown.json).toEqual(posted.json);
    const listed = await send(operatorToken, "GET", "/ledger/entries?account=platform%2Fwrite-offs&currency=USD");
    expect(listed.json).toMatchObject({
      entries: [{ entryId: body.entryId, moves: [{ minor: "9007199254740993" }, {}] }],
      next: null,
    });
  });

  it("lists entries page by page: `next` of one page is `after` of the following one", async () => {
    const account = "platform/provider-fees";
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const entryId of ids) {
      const postings = [
        { account, currency: "CHF", minor: "5" },
        { account: "platform/fees", currency: "CHF", minor: "-5" },
      ];
      const body = correction({ entryId, postings });
      const approval = String(field(await send(operatorToken, "POST", "/ledger/corrections", body), "approval"));
      expect((await send(bobToken, "POST", "/ledger/corrections", { ...body, approval })).status).toBe(200);
    }

    const first = await send(operatorToken, "GET", `/ledger/entries?account=${account}&limit=2`);
    const next = String(field(first, "next"));
    const second = await send(operatorToken, "GET", `/ledger/entries?account=${account}&limit=2&after=${next}`);

    const idsOf = (answer: unknown) => (Object(answer).json.entries as { entryId: string }[]).map((one) => one.entryId);
    expect([...idsOf(first), ...idsOf(second)].toSorted()).toEqual(ids.toSorted());
    expect(idsOf(first)).toHaveLength(2);
    expect(field(second, "next")).toBeNull();
    expect(await send(operatorToken, "GET", `/ledger/entries?account=${account}&after=x`)).toMatchObject({
      status: 400,
      json: { errors: [{ field: "after" }] },
    });
  });

  it.each<[string, object, string[]]>([
    [
      "a number as amount",
      { postings: [{ account: "platform/fx", currency: "USD", minor: 5 }] },
      ["postings", "postings.0.minor"],
    ],
    ["no reason", { reason: "" }, ["reason"]],
    ["links that are no texts", { links: [5] }, ["links.0"]],
    ["a member that it does not know", { aproval: "x" }, ["aproval"]],
  ])("refuses a correction with %s", async (_case, more, fields) => {
    const answer = await send(operatorToken, "POST", "/ledger/corrections", correction(more));
    expect(answer).toMatchObject({ status: 400, json: { errors: fields.map((name) => ({ field: name })) } });
  });

  it("refuses a filter that is misspelt, which would show everything", async () => {
    expect(await send(operatorToken, "GET", "/ledger/entries?acount=platform/fx")).toMatchObject({
      status: 400,
      json: { errors: [{ field: "acount", message: "is not known; did you mean account?" }] },
    });
  });

  it("sets a floor that two operators agree on, and shows what may be promised", async () => {
    const account = "tenant/demo/funding";
    const body = { account, currency: "USD", floorMinor: "-5000" };
    const path = "/ledger/promises?account=tenant%2Fdemo%2Ffunding&currency=USD";
    const approval = String(field(await send(operatorToken, "PUT", "/ledger/floors", body), "approval"));
    expect((await send(operatorToken, "GET", path)).json).toMatchObject({ floorMinor: null, availableMinor: null });
    expect((await send(bobToken, "PUT", "/ledger/floors", { ...body, approval })).status).toBe(200);
    expect((await send(operatorToken, "GET", path)).json).toEqual({
      settledMinor: "0",
      promisedMinor: "0",
      releasedMinor: "0",
      floorMinor: "-5000",
      availableMinor: "5000",
    });
    const wrong = { account: "platform/fees", currency: "USD", floorMinor: "x" };
    expect((await send(operatorToken, "PUT", "/ledger/floors", wrong)).status).toBe(400);
  });

  it("lists breaks, ends them in the operator's name, and gives the proof of a day as JSON and CSV", async () => {
    const id = "suspense/USD";
    const sides = { ours: { asset: "USD", minor: 5n }, theirs: null };
    const found = { class: "SUSPENSE", provider: "", reference: "USD", paymentIds: [], ...sides, detail: "seen" };
    const flags = { isUnresolved: true, isUntold: true, foundAt: new Date(0) };
    const breaks = ledger.mongo.connection.collection<{ _id: string }>("statement_breaks");
    await breaks.insertOne({ _id: id, ...found, ...flags });
    expect((await send(operatorToken, "GET", "/ledger/breaks")).json).toMatchObject({
      breaks: [{ breakId: id, ours: { currency: "USD", minor: "5" }, theirs: null }],
      next: null,
    });
    const note = "booked by hand";
    const resolve = async (breakId: string) => {
      const body = { breakId, note };
      const approval = String(field(await send(bobToken, "POST", "/ledger/break-resolutions", body), "approval"));
      return send(operatorToken, "POST", "/ledger/break-resolutions", { ...body, approval });
    };
    expect(await resolve(id)).toMatchObject({ status: 200, json: { break: { resolution: `bob: ${note}` } } });
    expect((await send(operatorToken, "GET", "/ledger/breaks")).json).toMatchObject({ breaks: [] });
    expect((await resolve("x")).status).toBe(404);

    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await eventually(async () => (await send(operatorToken, "GET", `/ledger/proofs/${day}`)).status === 200);
    expect((await send(operatorToken, "GET", `/ledger/proofs/${day}`)).json).toMatchObject({
      day,
      unresolvedBreaks: 0,
    });
    const csv = await send(operatorToken, "GET", `/ledger/proofs/${day}?format=csv`);
    expect(csv.headers["content-type"]).toBe("text/csv");
    expect(csv.text.split("\n")[0]).toBe("day,account,currency,minor");
    expect((await send(operatorToken, "GET", "/ledger/proofs/2020-01-01")).status).toBe(404);
    expect((await send(operatorToken, "GET", `/ledger/proofs/${day}?format=xml`)).status).toBe(400);
  });
});
