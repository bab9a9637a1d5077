import { mongo } from "mongoose";
import { ParticipantKind, ParticipantStatus } from "../../../proto/gen/corridor/identity/v1/participant";
import { ReviewKind, ReviewStatus } from "../../../proto/gen/corridor/identity/v1/review_service";
import { CaseKind, CaseState, DifferenceClass, PaymentLeg } from "../../../proto/gen/corridor/payment/v1/case_service";
import { systemIds } from "../../../services/shared/kernel/ids";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");

/** A field of a JSON answer. */
const field = (answer: HttpAnswer, name: string): unknown => Reflect.get(Object(answer.json) as object, name);

/** The header by which a command names its approval. */
const approved = (approval?: string): Record<string, string> =>
  approval === undefined ? {} : { "x-approval": approval };

describe("the operator API", () => {
  let world: AccessWorld;

  beforeAll(async () => {
    // Anchored once, before anything is recorded: what the chain shows by itself is looked at here.
    world = await startAccessWorld({ tenants: [demo, other], auth: { AUTH_ANCHOR_SECONDS: "3600" } });
  });
  afterAll(() => world.stop());

  const withKey = (apiKey: string, agent?: { agentId: string; apiKey: string }) => ({
    "x-api-key": apiKey,
    "content-type": "application/json",
    ...(agent === undefined ? {} : { "x-agent-id": agent.agentId, "x-agent-api-key": agent.apiKey }),
  });
  /** A call that a valid tenant key is refused for its path: 404, and 401 with a key that does not work. */
  const useKey = (apiKey: string) =>
    world.call("/organizations/nobody/agents", { method: "POST", headers: withKey(apiKey), body: "{}" });

  it("asks for the token of an operator, on its own port alone", async () => {
    const none = await httpCall(world.gateway.operatorPort ?? 0, "/tenants");
    const wrong = await world.operate("GET", "/tenants", undefined, "x".repeat(40));

    expect(none).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
    expect(none.headers["www-authenticate"]).toBe('Bearer realm="corridor operators"');
    expect(wrong.status).toBe(401);
    expect((await world.operate("GET", "/tenants", undefined, demo.apiKey)).status).toBe(401);
    expect((await world.call("/tenants")).status).toBe(404);
    expect((await world.operate("POST", "/oauth/token")).status).toBe(404);
  });

  it("brings a new tenant to its first token and its first agent", async () => {
    expect((await world.operate("POST", "/tenants", { tenant: "fresh" })).status).toBe(201);
    expect(await world.operate("POST", "/tenants", { tenant: "fresh" })).toMatchObject({
      status: 409,
      json: { code: "OPS_409" },
    });
    const clients = "/tenants/fresh/clients";
    await world.operate("POST", clients, { clientId: "fresh-client", scopes: ["fx", "payments"] });
    const credential = async (kind: string, owner: string) =>
      String(field(await world.operate("POST", "/tenants/fresh/credentials", { kind, owner }), "credential"));
    const fresh = { ...makeTenant("fresh"), clientSecret: await credential("secret", "fresh-client") };
    const apiKey = await credential("key", "fresh");

    expect(field(await world.requestToken(fresh), "scope")).toBe("payments fx");
    const body = JSON.stringify({ email: "a@example.com", businessName: "Partner", externalId: "p-1" });
    const create = () => world.call("/organizations/fresh/agents", { method: "POST", headers: withKey(apiKey), body });
    const created = await create();
    expect(created).toMatchObject({
      status: 200,
      json: { email: "a@example.com", businessName: "Partner", externalId: "p-1", status: "PENDING_APPROVAL" },
    });
    expect(await create()).toMatchObject({ status: 409, json: { code: "AGT_409" } });

    const agent = { agentId: String(field(created, "id")), apiKey: String(field(created, "apiKey")) };
    const act = () =>
      world.call("/organizations/nobody/webhooks/w/secret", { method: "POST", headers: withKey(apiKey, agent) });
    expect(await act()).toMatchObject({ status: 403, json: { code: "AUTH_002" } });
    const move = (status: string) => world.operate("PUT", `/tenants/fresh/agents/${agent.agentId}/status`, { status });
    expect(await move("ACTIVE")).toMatchObject({ status: 200, json: { status: "ACTIVE" } });
    expect(await act()).toMatchObject({ status: 404 });
    expect(await move("REJECTED")).toMatchObject({ status: 409 });
    expect(await world.operate("GET", "/tenants/fresh/agents")).toMatchObject({
      json: { agents: [{ id: agent.agentId, email: "a@example.com", status: "ACTIVE" }] },
    });
  });

  it("refuses a malformed agent with all failed fields, and another tenant's path", async () => {
    const create = (tenant: string, body: object) =>
      world.call(`/organizations/${tenant}/agents`, {
        method: "POST",
        headers: withKey(demo.apiKey),
        body: JSON.stringify(body),
      });

    expect(await create("demo", { email: "x", businessName: " " })).toMatchObject({
      status: 400,
      json: { code: "VE_001", errors: [{ field: "email" }, { field: "businessName" }] },
    });
    expect(await create("other", { email: "a@example.com", businessName: "P" })).toMatchObject({
      status: 404,
      json: { code: "AGT_404" },
    });
  });

  it("lets two keys live during a rotation, and no third", async () => {
    const path = "/tenants/other/credentials";
    const next = await world.operate("POST", path, { kind: "key", owner: "other" });
    const nextKey = String(field(next, "credential"));

    expect((await useKey(other.apiKey)).status).toBe(404);
    expect((await useKey(nextKey)).status).toBe(404);
    expect(await world.operate("POST", path, { kind: "key", owner: "other" })).toMatchObject({ status: 409 });
    expect(await world.operate("POST", path, { kind: "key", owner: "demo" })).toMatchObject({ status: 404 });

    const old = other.apiKey.split("_")[2] ?? "";
    expect((await world.operate("DELETE", `/tenants/demo/credentials/${old}`)).status).toBe(404);
    expect((await world.operate("DELETE", `${path}/${old}`)).status).toBe(204);
    expect((await world.operate("DELETE", `${path}/${old}`)).status).toBe(404);
    const later = await world.startGateway();
    const headers = withKey(other.apiKey);
    const call = { method: "POST", headers, body: "{}" };
    expect((await httpCall(later.port ?? 0, "/organizations/nobody/agents", call)).status).toBe(401);
    expect((await useKey(nextKey)).status).toBe(404);
    expect((await world.operate("POST", path, { kind: "key", owner: "other" })).status).toBe(201);
  });

  it("shows when a key was last used, and nothing that is secret", async () => {
    await useKey(demo.apiKey);
    const id = demo.apiKey.split("_")[2];
    const find = async () => {
      const { text } = await world.operate("GET", "/tenants/demo/credentials");
      const { credentials } = JSON.parse(text) as { credentials: Record<string, unknown>[] };
      return { text, credential: credentials.find((one) => one["id"] === id) };
    };

    const { text, credential } = await until(find, (found) => found.credential?.["lastUsedAt"] !== null);
    expect(credential).toMatchObject({ kind: "key", owner: "demo", prefix: `key_local_${id}` });
    expect(credential?.["lastUsedAt"]).toMatch(/^\d{4}-/);
    expect(text).not.toContain(demo.apiKey.split("_")[3]);
    expect(text).not.toContain("hash");
  });

  it("stops the tokens of a disabled client, and lets it work again", async () => {
    const token = await world.tokenOf(demo);
    const use = async (port: number) =>
      httpCall(port, "/schema/BRA", { headers: { authorization: `Bearer ${token}` } });
    expect((await use(world.gateway.port ?? 0)).status).toBe(503);

    await world.operate("PATCH", "/tenants/demo/clients/demo-client", { isDisabled: true });
    expect(await world.requestToken(demo)).toMatchObject({ status: 401, json: { error: "invalid_client" } });
    const stopped = await until(
      () => use(world.gateway.port ?? 0),
      ({ status }) => status === 401,
    );
    expect(stopped).toMatchObject({ status: 401, json: { code: "AUTH_001" } });

    await world.operate("PATCH", "/tenants/demo/clients/demo-client", { isDisabled: false });
    expect((await world.requestToken(demo)).status).toBe(200);
    expect((await use((await world.startGateway()).port ?? 0)).status).toBe(503);
  });

  it("rotates signing keys: the next one is published before it signs", async () => {
    const { text: before } = await world.call("/.well-known/jwks.json");
    const rotated = await world.operate("POST", "/signing-keys");
    const again = await world.operate("POST", "/signing-keys");

    expect(rotated).toMatchObject({ status: 201, json: { isSigning: false } });
    expect(again.json).toEqual(rotated.json);
    const kid = String(field(rotated, "kid"));
    expect(before).not.toContain(kid);
    const later = await world.startGateway();
    expect((await httpCall(later.port ?? 0, "/.well-known/jwks.json")).text).toContain(kid);
    const [header = ""] = (await world.tokenOf(other)).split(".");
    expect(Buffer.from(header, "base64url").toString()).not.toContain(kid);
    expect((await world.operate("DELETE", `/signing-keys/${kid}`)).status).toBe(204);
    expect((await world.operate("DELETE", `/signing-keys/${kid}`)).status).toBe(404);
  });

  it("answers its records forwards and, page by page, backwards", async () => {
    const read = async (query: string) => {
      const { text } = await world.operate("GET", `/audit?${query}`);
      const { records, next } = JSON.parse(text) as { records: { sequence: number }[]; next: number | null };
      return { sequences: records.map(({ sequence }) => sequence), next };
    };
    const all = (await read("limit=500")).sequences;
    // Each reading is a record of its own.
    const newest = await read("order=newest&limit=2");
    const [first = 0, second = 0] = newest.sequences;
    expect(first).toBeGreaterThanOrEqual(all.at(-1) ?? 0);
    expect([second, newest.next]).toEqual([first - 1, first - 1]);
    expect((await read(`order=newest&limit=2&after=${second}`)).sequences).toEqual([second - 1, second - 2]);
    expect(await read("order=newest&after=2")).toEqual({ sequences: [1], next: null });
    expect((await world.operate("GET", "/audit?order=sideways")).status).toBe(400);
  });

  describe("finds in its records", () => {
    type Found = Readonly<Record<"actor" | "tenant" | "object" | "at", string>> & { readonly sequence: number };
    const find = async (query: Readonly<Record<string, string>>): Promise<Found[]> => {
      const { status, text } = await world.operate("GET", `/audit?${new URLSearchParams(query).toString()}`);
      expect([query, status, status === 200 ? "" : text]).toEqual([query, 200, ""]);
      return (JSON.parse(text) as { records: Found[] }).records;
    };
    const inTime = (records: readonly Found[]): Found[] =>
      records.toSorted((a, b) => (a.at === b.at ? a.sequence - b.sequence : a.at < b.at ? -1 : 1));
    beforeAll(async () => {
      await world.operate("PATCH", "/tenants/nowhere", { isDisabled: true });
      await world.call("/organizations/elsewhere/webhooks", { headers: { "x-api-key": demo.apiKey } });
    });

    it.each([
      ["actor", "tenant:demo"],
      ["tenant", "demo"],
      ["object", "tenant=nowhere"],
    ] as const)("those of one %s, in both orders, page by page", async (field, value) => {
      const all = await find({});
      const wanted = inTime(all.filter((record) => record[field] === value)).map(({ sequence }) => sequence);
      const forwards: number[] = [];
      while (forwards.length <= wanted.length) {
        const [record] = await find({ [field]: value, limit: "1", after: String(forwards.at(-1) ?? 0) });
        if (record === undefined) break;
        forwards.push(record.sequence);
      }
      const backwards = await find({ [field]: value, order: "newest" });

      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.length).toBeLessThan(all.length);
      expect(forwards).toEqual(wanted);
      expect(backwards.map(({ sequence }) => sequence)).toEqual(wanted.toReversed());
    });

    it("those of a span of time, in the order of time", async () => {
      const all = inTime(await find({}));
      const [middle = "", end = ""] = [all[Math.floor(all.length / 2)]?.at, all.at(-1)?.at];
      const before = all.filter(({ at }) => at < middle);
      const then = all.filter(({ at }) => at >= middle && at < end);

      expect([before.length, then.length].every((count) => count > 0)).toBe(true);
      expect(await find({ until: middle })).toEqual(before);
      expect(await find({ from: middle, until: end })).toEqual(then);
      expect(await find({ from: middle, until: end, order: "newest" })).toEqual(then.toReversed());
      expect(await find({ until: middle, after: String(before[0]?.sequence) })).toEqual(before.slice(1));
      expect(await find({ from: "2999-01-01" })).toEqual([]);
    });

    it("nothing by two fields at once, or by what is no time", async () => {
      for (const [query, field] of [
        ["actor=a&object=o", "object"],
        ["from=yesterday", "from"],
      ]) {
        expect(await world.operate("GET", `/audit?${query}`)).toMatchObject({
          status: 400,
          json: { code: "VE_001", errors: [{ field }] },
        });
      }
    });
  });

  it("records every privileged call, and every refusal of a known caller, once and in order", async () => {
    const records = async () => {
      const { text } = await world.operate("GET", "/audit?limit=500");
      const { records: found } = JSON.parse(text) as { records: Record<string, unknown>[] };
      return found;
    };
    const after = Number((await records()).at(-1)?.["sequence"]);
    const requestId = `r-${systemIds.uuid()}`;
    const headers = { "x-request-id": requestId };
    const narrow = await world.tokenOf(other, "fx");

    await world.call("/schema/BRA", { headers: { ...headers, authorization: `Bearer ${narrow}` } });
    await world.call("/organizations/demo/webhooks/w/secret", {
      method: "POST",
      headers: { ...headers, "x-api-key": demo.apiKey },
    });
    await world.call("/organizations/other/webhooks", { headers: { ...headers, "x-api-key": demo.apiKey } });
    await world.call("/schema/BRA", { headers: { ...headers, authorization: "Bearer nonsense" } });
    await world.operate("PATCH", "/tenants/nobody", { isDisabled: true });

    const fresh = (await records()).filter(({ sequence }) => Number(sequence) > after);
    const seen = fresh.map(({ actor, action, object, outcome }) => [actor, action, object, outcome].join(" | "));
    expect(seen).toEqual([
      "operator:ada | GET /audit |  | done",
      "client:other-client | GET /schema/{countryCode} | countryCode=BRA | SCOPE_MISSING",
      "tenant:demo | POST /organizations/{tenant}/webhooks/{webhookId}/secret | tenant=demo webhookId=w | AGENT_REFUSED",
      "tenant:demo | GET /organizations/{tenant}/webhooks | tenant=other | WEBHOOK_NOT_FOUND",
      "operator:ada | PATCH /tenants/{tenant} | tenant=nobody | begun",
      "operator:ada | PATCH /tenants/{tenant} | tenant=nobody | RECORD_NOT_FOUND",
    ]);
    expect(fresh.filter((record) => record["requestId"] === requestId)).toHaveLength(3);
    expect(fresh.every(({ address }) => address === "127.0.0.1")).toBe(true);
  });

  it("records repeats of a refusal together, and of a caller's different ones twenty by themselves", async () => {
    const gateway = await world.startGateway();
    const narrow = await world.tokenOf(other, "fx");
    const call = (code: string) =>
      httpCall(gateway.port ?? 0, `/schema/${code}`, { headers: { authorization: `Bearer ${narrow}` } });
    const codes = [
      ...Array.from({ length: 30 }, () => "BRA"),
      ...Array.from({ length: 40 }, (_, index) => `X${index}`),
    ];
    const before = JSON.parse((await world.operate("GET", "/audit/verify")).text) as { count: number };

    for (const code of codes) expect((await call(code)).status).toBe(403);
    await gateway.stop();

    const { text } = await world.operate("GET", `/audit?limit=500&after=${before.count}`);
    const { records } = JSON.parse(text) as { records: { actor: string; action: string; count: number }[] };
    const own = records.filter(({ actor }) => actor === "client:other-client");
    expect(own.slice(0, 20).map(({ count }) => count)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(own.slice(20).map(({ action, count }) => [action, count])).toEqual([
      ["GET /schema/{countryCode}", 29],
      ["several", 21],
    ]);
    expect((await world.operate("GET", "/audit/verify")).json).toMatchObject({ isWhole: true });
  });

  it("keeps one chain when many write at once, and names what was tampered with", async () => {
    const second = await world.startGateway();
    const calls = Array.from({ length: 60 }, (_unused, index) => {
      const port = (index % 2 === 0 ? world.gateway : second).operatorPort ?? 0;
      const headers = { authorization: "Bearer operator-token-of-at-least-32-characters" };
      return httpCall(port, "/signing-keys", { headers });
    });
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);

    const verify = async (query = "") => (await world.operate("GET", `/audit/verify${query}`)).json;
    const whole = await verify();
    expect(whole).toMatchObject({ isWhole: true, brokenAt: null });
    const { count, head } = whole as { count: number; head: string };
    expect(count).toBeGreaterThan(60);
    expect(await verify(`?sequence=${count}&hash=${head}`)).toMatchObject({ isWhole: true });

    const client = new mongo.MongoClient(world.testbed.mongoUri);
    const audit = client
      .db(world.testbed.database("access"))
      .collection<{ _id: number; outcome: string; hash: string }>("audit");
    const heads = client
      .db(world.testbed.database("access"))
      .collection<{ _id: string; sequence: number; hash: string }>("audit_head");
    const [record] = await audit.find({ _id: 5 }).toArray();
    await audit.updateOne({ _id: 5 }, { $set: { outcome: "nothing" } });
    expect(await verify()).toMatchObject({ isWhole: false, brokenAt: 5 });
    await audit.deleteOne({ _id: 5 });
    expect(await verify()).toMatchObject({ isWhole: false, brokenAt: 5 });
    await audit.insertOne(record ?? { _id: 5, outcome: "", hash: "" });
    expect(await verify()).toMatchObject({ isWhole: true });

    const [last] = await audit.find().sort({ _id: -1 }).limit(1).toArray();
    await audit.deleteOne({ _id: last?._id ?? 0 });
    expect(await verify()).toMatchObject({ isWhole: false, brokenAt: last?._id });
    const [third] = await audit.find({ _id: 3 }).toArray();
    await audit.deleteMany({ _id: { $gt: 3 } });
    await heads.updateOne({ _id: "head" }, { $set: { sequence: 3, hash: third?.hash ?? "" } });
    expect(await verify()).toMatchObject({ isWhole: true });
    expect(await verify(`?sequence=${count}&hash=${head}`)).toMatchObject({ isWhole: false });
    await client.close();
  });
});

describe("a platform whose audit log cannot be written", () => {
  it("lets no privileged call happen", async () => {
    const world = await startAccessWorld({ tenants: [demo] });
    const client = new mongo.MongoClient(world.testbed.mongoUri);
    const database = client.db(world.testbed.database("access"));
    // The next place in the chain is taken by something else.
    await database.collection<{ _id: number }>("audit").insertOne({ _id: 1 });

    const answer = await world.operate("POST", "/tenants", { tenant: "unseen" });

    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(await database.collection("tenants").countDocuments({ slug: "unseen" }, { hint: { $natural: 1 } })).toBe(0);
    expect(await database.collection<{ _id: string }>("tenants").countDocuments({ _id: "unseen" })).toBe(0);
    await client.close();
    await world.stop();
  });
});

describe("a reversal that waits", () => {
  it("is decided by a second operator where four eyes are wanted", async () => {
    const decided: object[] = [];
    const peers = await startPeers({
      payment: {
        listPayments: () => Promise.resolve({ payments: [{ externalPaymentId: "order-1" } as never], next: undefined }),
        decideReversal(request) {
          decided.push(request);
          return Promise.resolve({ transactionState: "Refunded" });
        },
      },
    });
    const bobToken = "another-token-of-at-least-32-characters";
    const world = await startAccessWorld({
      tenants: [demo],
      gateway: { PAYMENT_TARGET: peers.targets.PAYMENT_TARGET },
    });
    const OPERATOR_TOKENS_FILE = world.file("two", `ada ${operatorToken}\nbob ${bobToken}\n`);
    const gateway = await world.startGateway({ OPERATOR_FOUR_EYES: "on", OPERATOR_TOKENS_FILE });
    const decide = (token: string, { approval, ...body }: { approve?: boolean; approval?: string }) =>
      httpCall(gateway.operatorPort ?? 0, "/tenants/demo/payments/p-1/reversal", {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...approved(approval) },
        body: JSON.stringify(body),
      });

    expect(await decide(operatorToken, {})).toMatchObject({ status: 400, json: { errors: [{ field: "approve" }] } });
    const asked = await decide(operatorToken, { approve: true });
    const approval = String(field(asked, "approval"));
    expect(decided).toEqual([]);
    expect((await decide(operatorToken, { approve: true, approval })).status).toBe(409);
    expect((await decide(bobToken, { approve: false, approval })).status).toBe(409);
    expect(await decide(bobToken, { approve: true, approval })).toMatchObject({
      status: 200,
      json: { transactionState: "Refunded" },
    });
    expect(decided).toEqual([{ tenant: "demo", paymentId: "p-1", approve: true }]);

    const alone = await world.operate("POST", "/tenants/demo/payments/p-1/reversal", { approve: false });
    expect(alone).toMatchObject({ status: 200 });
    expect(decided).toHaveLength(2);
    await world.stop();
    await peers.stop();
  });
});

describe("reviews and holds", () => {
  const review = {
    reviewId: "r-1",
    tenant: "demo",
    kind: ReviewKind.PAYMENT,
    subjectId: "p-1",
    status: ReviewStatus.APPROVED,
    hits: [{ entryId: "e", likenessPercent: 97, factors: [] }],
    awaitsProvider: false,
    listVersion: "1.aa",
    openedAt: new Date(0),
    decidedAt: new Date(1_000),
    author: "ada",
    note: "seen",
    facts: {
      $case: "payment",
      value: {
        amount: { amountMinor: 10_050n, currency: "USD" },
        senderName: "Ada",
        recipient: { name: "Maria", countryCode: "BRA", narrative: "" },
      },
    } as const,
  };
  const asked: { method: string; request: object }[] = [];
  const keep =
    <T>(method: string, answer: T) =>
    (request: object): Promise<T> => {
      asked.push({ method, request });
      return Promise.resolve(answer);
    };
  const hold = {
    paymentId: "p-1",
    tenant: "demo",
    externalId: "order-1",
    type: "PUSH",
    transactionState: "ManualReview",
    amount: { amountMinor: 10_050n, currency: "USD" },
    kind: "REVIEW",
    createdAt: new Date(0),
  };
  const found = { provider: "pix", reference: "p-2", detail: "", foundAt: new Date(0), resolvedAt: undefined };
  const theirs = { currency: "BRL", minor: 500n };
  const bobToken = "another-token-of-at-least-32-characters";
  let world: AccessWorld;
  let peers: Awaited<ReturnType<typeof startPeers>>;

  beforeAll(async () => {
    const { note: _note, ...known } = review;
    const row = { ...known, facts: undefined };
    const gap = {
      breakId: "pix/b-2",
      class: DifferenceClass.GAP,
      provider: "pix",
      reference: "3-4",
      leg: PaymentLeg.UNSPECIFIED,
      ours: undefined,
      theirs: undefined,
      lineIds: [],
      entryIds: [],
      foundAt: new Date(0),
    };
    const differing = {
      ...gap,
      breakId: "pix/b-1",
      class: DifferenceClass.AMOUNT,
      leg: PaymentLeg.PAYOUT,
      ours: { amountMinor: -500n, currency: "BRL" },
      theirs: { amountMinor: 1_500_000n, currency: "USDC" },
      lineIds: ["l-1"],
      entryIds: ["e-1"],
    };
    const reportedCase = {
      caseId: "c1b0a5d2-7a55-4a3e-8a51-5a0d3f0c9e11",
      state: CaseState.OPEN,
      kinds: [CaseKind.RECONCILIATION_BREAK],
      tenant: "demo",
      provider: "pix",
      owner: "",
      openedAt: new Date(0),
      updatedAt: new Date(0),
      closedAt: undefined,
      paymentIds: [],
      amounts: [],
      differences: [differing, gap],
      notes: [],
    };
    peers = await startPeers({
      identity: {
        listReviews: keep("listReviews", { reviews: [row], next: "n" }),
        getReview: keep("getReview", { review }),
        decideReview: keep("decideReview", { review }),
        eraseParticipant: keep("eraseParticipant", {}),
        findParticipants: keep("findParticipants", {
          participants: [
            {
              participantId: "x-1",
              kind: ParticipantKind.PERSON,
              status: ParticipantStatus.APPROVED,
              createdAt: new Date(0),
            },
          ],
          next: "x-1",
        }),
      },
      payment: {
        listHolds: keep("listHolds", { holds: [hold] }),
        listCases: keep("listCases", { cases: [reportedCase], next: undefined }),
      },
      wallet: {
        reconcileProviders: keep("reconcileProviders", {
          statements: [{ provider: "pix", lastLine: 7n, openItems: 1n, readAt: new Date(0) }],
          classes: [{ class: "DOUBLED", count: 1n }],
          breaks: [{ breakId: "b-1", class: "DOUBLED", ...found, paymentIds: [], theirs }],
        }),
        getTrialBalance: keep("getTrialBalance", { accounts: [], totals: [{ amountMinor: 0n, currency: "USD" }] }),
      },
    });
    const { IDENTITY_TARGET, PAYMENT_TARGET, WALLET_TARGET } = peers.targets;
    world = await startAccessWorld({ tenants: [demo], gateway: { IDENTITY_TARGET, PAYMENT_TARGET, WALLET_TARGET } });
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  it("are not listed by a kind or a status that there is none of", async () => {
    for (const filter of ["kind=THING", "status=LATE", "tenat=demo"]) {
      const answer = await world.operate("GET", `/reviews?${filter}`);
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ field: filter.split("=")[0] }] } });
    }
    expect(asked).toEqual([]);
  });

  it("are listed and shown as they are, amounts with every digit", async () => {
    const listed = await world.operate("GET", "/reviews?tenant=demo&kind=PAYMENT&status=OPEN&after=a&limit=2");
    const shown = await world.operate("GET", "/reviews/r-1");
    const holds = await world.operate("GET", "/holds");

    const page = { tenant: "demo", kind: ReviewKind.PAYMENT, status: ReviewStatus.OPEN, after: "a", limit: 2 };
    expect(asked[0]).toMatchObject({ method: "listReviews", request: page });
    expect(listed).toMatchObject({ status: 200, json: { reviews: [{ reviewId: "r-1" }], next: "n" } });
    expect(shown.json).toMatchObject({ note: "seen", facts: { recipientName: "Maria" } });
    expect(holds.text).toContain('"amount":{"total":100.5,"currency":"USD"}');
    expect(holds.json).toMatchObject({ holds: [{ kind: "REVIEW", externalPaymentId: "order-1" }], next: null });
    expect((await world.operate("GET", "/reviews?limit=0")).status).toBe(400);
    expect((await world.operate("GET", "/reviews?limit=1&limit=2")).status).toBe(400);
  });

  it("are decided in the operator's name, and no body can name another, and each call is in the audit log", async () => {
    const requestId = `r-${systemIds.uuid()}`;
    const authorization = `Bearer ${operatorToken}`;
    const call = (body: object) =>
      httpCall(world.gateway.operatorPort ?? 0, "/tenants/demo/reviews/r-1", {
        method: "POST",
        headers: { authorization, "content-type": "application/json", "x-request-id": requestId },
        body: JSON.stringify(body),
      });

    expect(await call({})).toMatchObject({ status: 400, json: { errors: [{ field: "approve" }, { field: "note" }] } });
    expect(asked).toEqual([]);
    expect(await call({ approve: true, note: "seen", author: "bob" })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "author" }] },
    });
    expect(asked).toEqual([]);
    expect(await call({ approve: true, note: "seen" })).toMatchObject({ status: 200 });
    expect(asked).toMatchObject([
      { request: { tenant: "demo", reviewId: "r-1", approve: true, author: "ada", note: "seen" } },
    ]);
    const { records } = JSON.parse((await world.operate("GET", "/audit?limit=500")).text) as {
      records: Record<string, unknown>[];
    };
    const mine = records.filter((record) => record["requestId"] === requestId);
    expect(mine.map(({ object, outcome }) => `${String(object)} ${String(outcome)}`)).toEqual([
      "tenant=demo reviewId=r-1 begun",
      "tenant=demo reviewId=r-1 INVALID_ARGUMENT",
      // The second refusal is counted with the first.
      "tenant=demo reviewId=r-1 begun",
      "tenant=demo reviewId=r-1 begun",
      "tenant=demo reviewId=r-1 done",
    ]);
    expect(JSON.stringify(mine)).not.toContain("seen");
  });

  it("need a second operator where four eyes are wanted", async () => {
    const OPERATOR_TOKENS_FILE = world.file("two", `ada ${operatorToken}\nbob ${bobToken}\n`);
    const gateway = await world.startGateway({ OPERATOR_FOUR_EYES: "on", OPERATOR_TOKENS_FILE });
    const decide = (token: string, { approval, ...body }: { approve: boolean; approval?: string }) =>
      httpCall(gateway.operatorPort ?? 0, "/tenants/demo/reviews/r-1", {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...approved(approval) },
        body: JSON.stringify({ note: "seen", ...body }),
      });

    const approval = String(field(await decide(operatorToken, { approve: true }), "approval"));
    expect((await decide(operatorToken, { approve: true, approval })).status).toBe(409);
    expect((await decide(bobToken, { approve: false, approval })).status).toBe(409);
    expect(asked).toEqual([]);
    expect((await decide(bobToken, { approve: true, approval })).status).toBe(200);
    expect(asked).toMatchObject([{ request: { author: "ada", approve: true } }]);
  });

  it("show what a statement and our account have, signed, in the fields of a case", async () => {
    const { json } = await world.operate("GET", "/cases");
    expect(json).toMatchObject({
      cases: [
        {
          differences: [
            {
              breakId: "pix/b-1",
              class: "AMOUNT",
              provider: "pix",
              leg: "PAYOUT",
              ours: { total: -5, currency: "BRL" },
              theirs: { total: 1.5, currency: "USDC" },
              lineIds: ["l-1"],
              entryIds: ["e-1"],
              foundAt: "1970-01-01T00:00:00.000Z",
            },
            { class: "GAP", leg: null, ours: null, theirs: null },
          ],
        },
      ],
    });
  });

  it("have neighbours: books are compared, and persons erased", async () => {
    expect(await world.operate("POST", "/ledger/reconciliations")).toMatchObject({
      status: 200,
      json: {
        statements: [{ provider: "pix", lastLine: 7, openItems: 1, readAt: "1970-01-01T00:00:00.000Z" }],
        classes: [{ class: "DOUBLED", count: 1 }],
        breaks: [{ breakId: "b-1", reference: "p-2", ours: null, theirs: { currency: "BRL", minor: "500" } }],
      },
    });
    expect(await world.operate("GET", "/ledger/trial-balance?asOf=2026-01-02T03:04:05Z")).toMatchObject({
      status: 200,
      json: { totals: [{ asset: "USD", amount: "0" }] },
    });
    expect(asked.at(-1)).toMatchObject({ request: { asOf: new Date("2026-01-02T03:04:05Z") } });
    expect((await world.operate("GET", "/ledger/trial-balance?asOf=yesterday")).status).toBe(400);
    const search = { identificationType: "PASSPORT", identification: "AB-1", after: "x-0" };
    expect(await world.operate("POST", "/tenants/demo/participants/search", search)).toMatchObject({
      status: 200,
      json: {
        participants: [
          { participantId: "x-1", kind: "PERSON", status: "APPROVED", createdAt: "1970-01-01T00:00:00.000Z" },
        ],
        next: "x-1",
      },
    });
    const { after, ...document } = search;
    expect(asked.at(-1)).toMatchObject({ request: { tenant: "demo", document, after, limit: 200 } });
    expect(await world.operate("POST", "/tenants/demo/participants/search", {})).toMatchObject({
      status: 400,
      json: { code: "VE_001", errors: [{ field: "identification" }] },
    });
    expect((await world.operate("DELETE", "/tenants/demo/participants/x-1")).status).toBe(204);
    expect(asked.at(-1)).toMatchObject({ request: { tenant: "demo", participantId: "x-1" } });
  });
});
