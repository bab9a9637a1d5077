import { randomUUID } from "node:crypto";
import type { Platform } from "../../local/platform";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { rails } from "../../sandbox/rails/rail-facts";
import { formatMinor } from "../../services/shared/kernel/assets";
import type { Running } from "../../services/shared/process/lifecycle";
import { noTracing } from "../../services/shared/process/tracing";
import type { Rpc } from "../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { environmentOf } from "../bench/process-figures";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

describe("wallets through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let headers: Record<string, string>;
  let ledger: Rpc<typeof WalletServiceService> & Running;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const { GRPC_PORT: port } = environmentOf(platform.process("wallet").pid() ?? 0);
    const options = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    ledger = makeRpcClient(WalletServiceService, { target: `ipv4:127.0.0.1:${port}`, ...options });
  });
  afterAll(async () => {
    await ledger.stop();
    await client.close();
    await platform.stop();
  });

  const post = (path: string, body?: object): Promise<Reply> => {
    const { authorization = "" } = headers;
    return body === undefined
      ? client.send("POST", path, { authorization })
      : client.send("POST", path, headers, JSON.stringify(body));
  };
  const get = (path: string): Promise<Reply> => client.send("GET", path, headers);
  const open = async (accountAsset = "USD"): Promise<string> => {
    const reply = await post("/wallets", { accountAsset, ownerId: "o-1", beneficiaryId: "b-1", type: "PERSONAL" });
    expect(reply.status).toBe(200);
    return String(reply.body["walletId"]);
  };
  const move = (walletId: string, paymentType: string, amount: number, more: object = {}) =>
    post("/wallets/transaction", { walletId, externalId: freshId(), amount, paymentType, ...more });

  it("opens, credits, holds, confirms, transfers, voids and tells it all in a statement", async () => {
    const [one, two] = [await open(), await open()];
    const wallet = await get(`/wallets/${one}`);
    expect(Object.keys(wallet.body)).toEqual([
      ..."walletId accountAsset ownerId beneficiaryId type status createdAt".split(" "),
    ]);
    expect(wallet.body["createdAt"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const credited = await move(one, "CREDIT", 100.1, { description: "top up" });
    expect(Object.keys(credited.body).toSorted()).toEqual(
      "amount createdAt description externalId paymentType status transactionId walletId".split(" "),
    );
    const held = await move(one, "DEBIT", 20.05, { hold: true });
    expect((await get(`/wallets/${one}/balance`)).text).toBe(
      `{"walletId":"${one}","accountAsset":"USD","availableBalance":80.05,"heldBalance":20.05,"totalBalance":100.1}`,
    );
    const confirm = `/wallets/transaction/${String(held.body["transactionId"])}/confirm`;
    const [confirmed, again] = [await post(confirm), await post(confirm)];
    expect(confirmed).toMatchObject({ status: 200, body: { status: "COMPLETED", amount: 20.05 } });
    expect([again.text, again.headers["idempotency-replayed"]]).toEqual([confirmed.text, "true"]);
    expect((await post(confirm.replace("confirm", "void"))).body).toMatchObject({ code: "WAL_004" });

    const externalId = freshId();
    const sent = await post("/wallets/transfer", { fromWallet: one, toWallet: two, amount: 30, externalId });
    expect(sent).toMatchObject({ status: 200, body: { externalTransferId: externalId, status: "COMPLETED" } });
    await move(two, "DEBIT", 1);
    const voidPath = `/wallets/transfer/${externalId}/void`;
    expect(await post(voidPath)).toMatchObject({ status: 409, body: { code: "WAL_006" } });
    await move(two, "CREDIT", 1);
    expect(await post(voidPath)).toMatchObject({ status: 200, body: { status: "VOIDED" } });

    const statement = await get(`/wallets/${one}/statement?size=3&page=0`);
    const entries = statement.body["entries"] as Record<string, unknown>[];
    expect(statement.body).toMatchObject({ walletId: one, page: 0, size: 3, totalEntries: 4 });
    expect(entries.map(({ type, amount, balanceAfter }) => [type, amount, balanceAfter])).toEqual([
      ["CREDIT", 100.1, 100.1],
      ["DEBIT", 20.05, 80.05],
      ["DEBIT", 30, 50.05],
    ]);
    const newest = (await get(`/wallets/${one}/statement?size=3&order=newest`)).body["entries"] as typeof entries;
    expect(newest.slice(1)).toEqual(entries.slice(1).toReversed());
    expect(newest[0]).toMatchObject({ type: "CREDIT", amount: 30, balanceAfter: 80.05 });
    expect(entries[1]).toMatchObject({
      transactionId: held.body["transactionId"],
      externalId: held.body["externalId"],
    });
  });

  it("refuses with the codes of the contract", async () => {
    const [usd, eur] = [await open(), await open("EUR")];
    const answers = [
      await move(usd, "DEBIT", 1),
      await post("/wallets/transfer", { fromWallet: usd, toWallet: eur, amount: 1, externalId: freshId() }),
      await post("/wallets/transaction/nothing/confirm"),
      await get("/wallets/nothing"),
      await move("nothing", "CREDIT", 1),
      await move(randomUUID(), "CREDIT", 1),
      await move(usd, "CREDIT", 0.001),
      await post("/wallets/transaction", {}),
      await get(`/wallets/${usd}/statement?size=201&from=yesterday`),
    ];

    expect(answers.map(({ status, body }) => [status, body["code"]])).toEqual([
      [422, "WAL_001"],
      [422, "WAL_002"],
      [404, "WAL_404"],
      [404, "WAL_404"],
      [400, "VE_001"],
      [404, "WAL_404"],
      [400, "VE_001"],
      [400, "VE_001"],
      [400, "VE_001"],
    ]);
    expect(answers[0]?.body["details"]).toEqual({ available: 0, required: 1, currency: "USD" });
    const fieldsOf = (reply: Reply | undefined): string[] =>
      ((reply?.body["errors"] ?? []) as { field: string }[]).map(({ field }) => field);
    expect(fieldsOf(answers[7])).toEqual(["walletId", "externalId", "amount", "paymentType"]);
    expect(fieldsOf(answers[8])).toEqual(["from", "size"]);
  });

  it("answers the same request with the same bytes, and names what differs in another one", async () => {
    const walletId = await open();
    const externalId = freshId();
    const request = { walletId, externalId, amount: 7.5, paymentType: "CREDIT", description: "salary of Ann" };
    const first = await post("/wallets/transaction", request);
    const written = `{"description": "salary of Ann", "hold": false, "amount": 7.50, "expiresAt": null,
      "paymentType": "CREDIT", "externalId": "${externalId}", "walletId": "${walletId}"}`;
    const again = await client.send("POST", "/wallets/transaction", headers, written);

    expect([first.status, first.headers["idempotency-replayed"]]).toEqual([200, undefined]);
    expect([again.status, again.text, again.headers["idempotency-replayed"]]).toEqual([200, first.text, "true"]);
    const others: [object, string[]][] = [
      [{ ...request, amount: 7.51 }, ["amount"]],
      [{ ...request, description: "salary of Bob" }, ["description"]],
      [{ ...request, hold: true, expiresAt: "2090-01-01" }, ["expiresAt", "hold"]],
      // What breaks a rule is never what was accepted: the id is what is wrong.
      [{ ...request, hold: 7 }, ["hold"]],
      [{ ...request, paymentType: "NOTHING", captrue: false }, ["captrue", "paymentType"]],
      [{ ...request, walletId: undefined, expiresAt: "2090-01-01" }, ["expiresAt", "walletId"]],
    ];
    for (const [other, fields] of others) {
      const reply = await post("/wallets/transaction", other);
      expect([reply.status, reply.body["code"], reply.body["details"]]).toEqual([422, "IDM_002", { fields }]);
      expect(reply.text).not.toMatch(/salary|Ann|Bob/);
    }
    const transfer = { fromWallet: walletId, toWallet: await open(), amount: 1, externalId: freshId() };
    const sent = await post("/wallets/transfer", transfer);
    const resent = await post("/wallets/transfer", { ...transfer, description: null });
    expect([resent.text, resent.headers["idempotency-replayed"]]).toEqual([sent.text, "true"]);
    expect(await post("/wallets/transfer", { ...transfer, amonut: 2 })).toMatchObject({
      status: 422,
      body: { code: "IDM_002", details: { fields: ["amonut"] } },
    });
  });

  it("refuses members that it does not know, and tells everything that is wrong at once", async () => {
    const walletId = await open();
    const request = { walletId, externalId: freshId(), amount: 1, paymentType: "CREDIT" };
    const errorsOf = async (path: string, body: object): Promise<unknown> => {
      const reply = await post(path, body);
      expect([reply.status, reply.body["code"]]).toEqual([400, "VE_001"]);
      return reply.body["errors"];
    };

    expect(await errorsOf("/wallets/transaction", { ...request, hlod: true })).toEqual([
      { field: "hlod", message: "is not known; did you mean hold?" },
    ]);
    expect(
      await errorsOf("/wallets/transaction", { ...request, walletId: " ", amount: "1", expiresAt: "soon" }),
    ).toEqual([
      { field: "walletId", message: "is required and must be the id of a wallet" },
      { field: "amount", message: "is required and must be a plain number above 0, at most 999999999999" },
      { field: "expiresAt", message: "must be an ISO 8601 time with its offset" },
    ]);
    expect(await errorsOf("/wallets/transaction", { ...request, expiresAt: "2090-01-01T00:00:00Z" })).toEqual([
      { field: "expiresAt", message: "is for holds only" },
    ]);
    expect(await errorsOf("/wallets/transfer", { fromWallet: walletId, toWallet: walletId, amount: 0 })).toEqual([
      { field: "amount", message: "must be a plain decimal number above 0, at most 999999999999" },
      { field: "externalId", message: "is required and must be a string" },
      { field: "toWallet", message: "must not be fromWallet" },
    ]);
    expect(await errorsOf("/wallets", { accountAsset: "XXQ", ownerID: "o", beneficiaryId: "b", type: "" })).toEqual([
      { field: "ownerId", message: "is required and must be a string" },
      { field: "type", message: "is required and must be text of at most 64 characters" },
      { field: "ownerID", message: "is not known; did you mean ownerId?" },
      { field: "accountAsset", message: "must be a currency of ISO 4217 or a known asset code" },
    ]);
    expect((await get(`/wallets/${walletId}/balance`)).body["totalBalance"]).toBe(0);
  });

  it("keeps the caller's own object as it is, and takes an empty text for none", async () => {
    const facts = { accountAsset: "USDC", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const additionalInfo = { b: [1, { c: null }], a: 1.5 };
    const opened = await post("/wallets", { ...facts, additionalInfo });
    const walletId = String(opened.body["walletId"]);

    expect(opened.text).toContain('"additionalInfo":{"b":[1,{"c":null}],"a":1.5}');
    expect((await get(`/wallets/${walletId}`)).text).toBe(opened.text);
    const without = await post("/wallets", { ...facts, additionalInfo: null });
    expect(Object.keys(without.body)).not.toContain("additionalInfo");
    expect((await move(walletId, "CREDIT", 0.000001, { description: "" })).body).toMatchObject({
      amount: 0.000001,
      description: null,
    });
  });

  it("books what payments move, agrees with the providers' book, and proves itself", async () => {
    const ids = [freshId(), freshId(), freshId()];
    for (const id of ids) expect((await client.pay(pushBody(id, await client.quote()))).status).toBe(200);
    for (const id of ids) {
      const paid = await until(
        () => client.payment(id),
        ({ body }) => body["status"] !== "PENDING",
      );
      expect(paid.body["status"]).toBe("CAPTURED");
    }
    const clearing = async (): Promise<string | undefined> => {
      const { accounts, totals } = await ledger.getTrialBalance({});
      expect(totals.filter(({ amountMinor }) => amountMinor !== 0n)).toEqual([]);
      const amount = accounts.find(({ path }) => path === "provider/pix/clearing")?.balance;
      return amount && formatMinor(amount.amountMinor, amount.currency);
    };
    const [paid] = (await client.book()).filter(({ status }) => status === "PAID");
    const three = String((3 * Math.round(Number(paid?.amount) * 100)) / 100);
    expect(await until(clearing, (amount) => amount === three)).toBe(three);

    const { statements, breaks } = await until(
      () => ledger.reconcileProviders({}),
      (found) => found.statements.every(({ openItems }) => openItems === 0n),
    );
    expect(statements.map(({ provider }) => provider).toSorted()).toEqual(
      [...Object.keys(rails), "acquirer", "debits"].toSorted(),
    );
    const pix = statements.find(({ provider }) => provider === "pix");
    expect([(pix?.lastLine ?? 0n) >= 3n, pix?.openItems, breaks]).toEqual([true, 0n, []]);
    expect((await ledger.verifyLedger({ verificationId: undefined })).findings).toEqual([]);
  });
});
