import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compiled } from "../../local/compiled";
import type { Platform } from "../../local/platform";
import { type OutsideWorld, outsideWorld, type WorldEntry } from "../support/outside-world";
import { bankSource, cardPullBody, cardSource, pullPushBody } from "../support/payment-bodies";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  statesOf,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const run = promisify(execFile);
type Json = Record<string, unknown>;

/** Named by the screening list, and unknown to the screening provider. */
const listed = { firstName: "Aleksandr", lastName: "Vymyshlenny" };
const toListed = { recipient: { ...(pushBody("", { fxId: "", conversionRate: 1 })["recipient"] as Json), ...listed } };
const fromListed = { sender: { ...listed, address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" } } };
const sink = "reviews";

describe("a payment that a person must decide about", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;
  let folder: string;
  const listFile = (): string => join(folder, "list.json");
  /** The list with the given entries beside the one that is always there. */
  const useList = (...more: object[]): void => {
    const entries = [{ id: "sandbox-2", names: ["Aleksandr Vymyshlenny"] }, ...more];
    writeFileSync(listFile(), JSON.stringify({ version: String(more.length), entries }));
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "reviews-"));
    useList();
    platform = await startTestPlatform({ env: { identity: { IDENTITY_SCREENING_LIST_FILE: listFile() } } });
    client = connectClient(platform);
    world = outsideWorld(platform);
    await client.subscribe(sink, ["TransactionStatusChanged", "TransactionComplianceStatusChangedEvent"]);
  });
  afterEach(() => client.clearFaults());
  afterAll(async () => {
    await client.close();
    await platform.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs `npm run operator -- …` against this platform. */
  const operator = async (...words: readonly string[]): Promise<Json> => {
    const env = { ...process.env, CORRIDOR_DIR: platform.dir };
    const { stdout } = await run(process.execPath, [compiled("local/cli/operator"), ...words], { env });
    return JSON.parse(stdout) as Json;
  };
  const push = async (changes: object): Promise<Json> => pushBody(freshId(), await client.quote(), changes);
  const entry = async (book: string, reference: unknown): Promise<WorldEntry | undefined> =>
    (await world.book())[book]?.find((one) => one.reference === reference);
  const states = async (id: unknown): Promise<string[]> => statesOf(await client.sink(sink), String(id));
  const reach = (id: unknown, state: string): Promise<string[]> =>
    until(
      () => states(id),
      (found) => found.includes(state),
    );
  const compliance = async (id: unknown): Promise<unknown[]> =>
    (await client.sink(sink))
      .map(({ body }) => JSON.parse(body) as Json)
      .filter((event) => event["externalTransactionId"] === id && event["newComplianceStatus"] !== undefined)
      .map((event) => event["newComplianceStatus"]);
  const reviewOf = async (paymentId: unknown): Promise<Json> => {
    const { reviews } = (await operator("reviews", "of", String(paymentId))) as { reviews: Json[] };
    const [found] = reviews;
    if (found === undefined) throw new Error("there is no review");
    return found;
  };
  const decide = async (verb: "approve" | "reject", paymentId: unknown): Promise<Json> =>
    operator("reviews", verb, "demo", String((await reviewOf(paymentId))["reviewId"]), "looked at");

  it("waits in BlockedPendingReview, is seen by operators, and is paid once it is approved", async () => {
    const body = await push(toListed);
    const id = body["externalPaymentId"];
    const reply = await client.pay(body);
    expect(await reach(id, "BlockedPendingReview")).toEqual([
      "Created",
      "ProcessingPayout",
      "PayoutAccepted",
      "BlockedPendingReview",
    ]);

    const { paymentId } = reply.body;
    const { holds } = (await operator("holds", "list")) as { holds: Json[] };
    expect(holds).toMatchObject([
      { paymentId, tenant: "demo", externalPaymentId: id, kind: "REVIEW", amount: { total: "100", currency: "USD" } },
    ]);
    const review = await reviewOf(paymentId);
    expect(review).toMatchObject({ kind: "PAYMENT", status: "OPEN", hits: [{ entryId: "sandbox-2" }] });
    expect(await operator("reviews", "show", String(review["reviewId"]))).toMatchObject({
      facts: { recipientName: "Aleksandr Vymyshlenny", senderName: "Ada Lovelace", currency: "BRL" },
    });
    expect((await client.payment(String(id))).body).toMatchObject({ status: "PENDING" });
    expect(await entry("instructions", paymentId)).toMatchObject({ status: "PREPARED", releases: 0 });

    expect(await decide("approve", paymentId)).toMatchObject({ status: "APPROVED", note: "looked at" });
    expect((await reach(id, "Completed")).slice(3)).toEqual([
      "BlockedPendingReview",
      "ManualReview",
      "ReviewApproved",
      "WaitingPayout",
      "Paid",
      "Completed",
    ]);
    expect(await entry("instructions", paymentId)).toMatchObject({ status: "PAID", releases: 1 });
    expect(await compliance(id)).toEqual(["Pending", "Approved"]);
    expect(await operator("holds", "list")).toMatchObject({ holds: [] });
  });

  it.each([
    { firstName: "Alexander", lastName: "Wymyschlennyj" },
    { firstName: "Александр", lastName: "Вымышленный" },
    { firstName: "Аlеksаndr", lastName: "Vуmуshlеnnу" },
  ])("is not paid under another spelling of the listed name: %j", async (spelled) => {
    const body = await push({ recipient: { ...toListed.recipient, ...spelled } });
    const { paymentId } = (await client.pay(body)).body;

    await reach(body["externalPaymentId"], "BlockedPendingReview");
    expect(await reviewOf(paymentId)).toMatchObject({ status: "OPEN", hits: [{ entryId: "sandbox-2" }] });
    expect(await entry("instructions", paymentId)).toMatchObject({ status: "PREPARED", releases: 0 });
    await decide("reject", paymentId);
  });

  it.each(["\u0007", "\u007f", "\ufff9", "\u202e"])("is refused with the hidden character %j", async (sign) => {
    const lastName = `Vymysh${sign}lenny`;
    const reply = await client.pay(await push({ recipient: { ...toListed.recipient, lastName } }));

    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain("lastName");
  });

  it("pays nobody once it is rejected", async () => {
    const body = await push(fromListed);
    const id = body["externalPaymentId"];
    const { paymentId } = (await client.pay(body)).body;
    await reach(id, "BlockedPendingReview");

    await decide("reject", paymentId);
    expect((await reach(id, "Cancelled")).slice(3)).toEqual(["BlockedPendingReview", "ReviewRejected", "Cancelled"]);
    const record = await client.payment(String(id));
    expect(record.body).toMatchObject({ status: "DECLINED", capturedAmount: 0 });
    expect(await entry("instructions", paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
    expect(await compliance(id)).toEqual(["Pending", "Rejected"]);
    await expect(decide("approve", paymentId)).rejects.toThrow("there is no review");
  });

  it.each([
    ["approve", "review-reject", "Completed", ["ReviewApproved", "WaitingPayout", "Paid", "Completed"], 1],
    ["reject", "review-approve", "Cancelled", ["ReviewRejected", "Cancelled"], 0],
  ] as const)(
    "waits in ManualReview while the provider looks at it, and goes by a person who is faster: %s",
    async (verb, scenario, end, rest, releases) => {
      const silent = { rail: "screening", status: 503, times: 1_000 };
      await client.fault({ ...silent, operation: "callback" });
      await client.fault({ ...silent, operation: "query" });
      const body = await push({ additionalData: { statementNarrative: `SIM:${scenario}` } });
      const id = body["externalPaymentId"];
      const { paymentId } = (await client.pay(body)).body;
      await reach(id, "ManualReview");
      expect(await reviewOf(paymentId)).toMatchObject({ status: "OPEN", hits: [], awaitsProvider: true });

      await decide(verb, paymentId);
      expect((await reach(id, end)).slice(3)).toEqual(["ManualReview", ...rest]);
      await client.clearFaults();
      expect(await entry("instructions", paymentId)).toMatchObject({ releases });
      expect(await compliance(id)).toEqual(["Pending", verb === "approve" ? "Approved" : "Rejected"]);
    },
    120_000,
  );

  it.each([
    ["approve", "Completed", { captures: [{}] }, { status: "PAID", releases: 1 }],
    ["reject", "Voided", { status: "VOIDED" }, { status: "CANCELLED", releases: 0 }],
  ] as const)(
    "of a PULLPUSH collects nothing before: %s",
    async (verb, end, authorization, instruction) => {
      const body = pullPushBody(cardSource("1"));
      const recipient = body["recipient"] as { customer: Json };
      const id = body["externalPaymentId"];
      const named = { ...recipient, customer: { ...recipient.customer, ...listed } };
      const { paymentId } = (await client.pay({ ...body, recipient: named })).body;
      await reach(id, "BlockedPendingReview");
      expect(await entry("authorizations", paymentId)).toMatchObject({ status: "AUTHORIZED", captures: [] });

      await decide(verb, paymentId);
      await reach(id, end);
      expect(await entry("authorizations", paymentId)).toMatchObject(authorization);
      expect(await entry("instructions", paymentId)).toMatchObject(instruction);
    },
    240_000,
  );

  it.each([
    ["approve", "CAPTURED", "Completed"],
    ["reject", "DECLINED", "PaymentDeclined"],
  ] as const)(
    "of a PULL is not told to the acquirer before: %s",
    async (verb, status, end) => {
      const sender = { ...(cardPullBody("1")["sender"] as Json), ...listed };
      const body = cardPullBody("1", { sender });
      const id = body["externalPaymentId"];
      const reply = await client.pay(body);
      expect(reply).toMatchObject({ status: 200, body: { status: "PENDING", approved: false } });
      expect(await entry("authorizations", reply.body["paymentId"])).toBeUndefined();

      await decide(verb, reply.body["paymentId"]);
      await reach(id, end);
      expect((await client.payment(String(id))).body).toMatchObject({ status });
      const called = await entry("authorizations", reply.body["paymentId"]);
      expect(called === undefined).toBe(verb === "reject");
      expect(await compliance(id)).toEqual(["Pending", verb === "approve" ? "Approved" : "Rejected"]);
      expect((await client.pay(body)).text).toBe(reply.text);
    },
    240_000,
  );

  it.each([
    ["approve", "Completed", { releases: 1 }],
    ["reject", "Refunded", { releases: 0 }],
  ] as const)(
    "is held by a list that came while its debit settled: %s",
    async (verb, end, instruction) => {
      const silent = { rail: "debits", status: 503, times: 1_000 };
      await client.fault({ ...silent, operation: "callback" });
      await client.fault({ ...silent, operation: "query" });
      useList();
      const body = pullPushBody(bankSource());
      const recipient = body["recipient"] as { customer: Json };
      const customer = { ...recipient.customer, firstName: "Ivan", lastName: `Newcomer ${verb}` };
      const id = body["externalPaymentId"];
      const { paymentId } = (await client.pay({ ...body, recipient: { ...recipient, customer } })).body;
      await reach(id, "WaitingSettlement");

      useList({ id: "newcomer", names: [`Ivan Newcomer ${verb}`] });
      const headers = {
        "content-type": "application/json",
        "x-api-key": platform.credentials.tenants[0]?.apiKey ?? "",
      };
      const { firstName, lastName } = customer;
      await until(
        () => client.send("POST", "/people", headers, JSON.stringify({ firstName, lastName })),
        ({ body: made }) => made["status"] === "IN_REVIEW",
      );
      await client.clearFaults();
      await reach(id, "PaymentSettled");
      const held = await until(
        () => operator("holds", "list"),
        ({ holds }) => (holds as Json[]).some((hold) => hold["paymentId"] === paymentId && hold["kind"] === "REVIEW"),
      );
      expect(held).toMatchObject({ holds: [{ paymentId, transactionState: "PaymentSettled", kind: "REVIEW" }] });
      expect(await entry("instructions", paymentId)).toMatchObject({ status: "PREPARED", releases: 0 });

      await decide(verb, paymentId);
      await reach(id, end);
      expect(await entry("instructions", paymentId)).toMatchObject(instruction);
    },
    240_000,
  );

  it("waits for its agent's transaction just so", async () => {
    const [demo] = platform.credentials.tenants;
    const [agent] = demo?.agents ?? [];
    const headers = {
      "content-type": "application/json",
      "x-api-key": demo?.apiKey ?? "",
      "x-agent-id": agent?.agentId ?? "",
      "x-agent-api-key": agent?.apiKey ?? "",
    };
    const body = JSON.stringify(await push(toListed));
    const created = await client.send("POST", "/fx/transactions", headers, body);
    const id = created.body["transactionId"];
    const show = () => client.send("GET", `/fx/transactions/${String(id)}`, headers);
    const seen = await until(show, ({ text }) => text.includes("BlockedPendingReview"));
    expect(seen.text).toContain("BlockedPendingReview");

    await decide("approve", id);
    expect((await until(show, ({ text }) => text.includes("Completed"))).text).toContain("Completed");
  });

  it("is not paid while identity is away, and goes on when it is back", async () => {
    await platform.process("identity").end("SIGKILL");
    const body = await push({});
    const id = body["externalPaymentId"];
    const reply = await client.pay(body);
    await reach(id, "PayoutAccepted");

    expect(reply.status).toBe(200);
    expect(await states(id)).toEqual(["Created", "ProcessingPayout", "PayoutAccepted"]);
    expect(await entry("instructions", reply.body["paymentId"])).toMatchObject({ status: "PREPARED", releases: 0 });
    const backAt = Date.now();
    await platform.process("identity").start();
    await reach(id, "Completed");
    const paid = await entry("instructions", reply.body["paymentId"]);
    expect(paid).toMatchObject({ status: "PAID", releases: 1 });
    expect(Date.parse(String(paid?.["releasedAt"]))).toBeGreaterThan(backAt);
  });

  it.each(["identity", "payment", "store", "bus"])(
    "is decided once and paid once when %s is killed while it is screened",
    async (name) => {
      await client.fault({ rail: "screening", operation: "screen", latencyMs: 400, times: 1 });
      const body = await push({});
      const sending = insist(() => client.pay(body));
      const reply = await sending;
      await until(
        () => entry("screenings", reply.body["paymentId"]),
        (found) => found !== undefined,
      );
      await platform.process(name).end("SIGKILL");
      await platform.process(name).start();

      await reach(body["externalPaymentId"], "Completed");
      expect((await states(body["externalPaymentId"])).filter((state) => state === "ReviewApproved")).toHaveLength(1);
      expect(await entry("instructions", reply.body["paymentId"])).toMatchObject({ status: "PAID", releases: 1 });
    },
    240_000,
  );

  it("is paid once when identity or payment is killed right after the person's decision", async () => {
    for (const name of ["identity", "payment"]) {
      const body = await push(toListed);
      const { paymentId } = (await insist(() => client.pay(body))).body;
      await reach(body["externalPaymentId"], "BlockedPendingReview");
      await decide("approve", paymentId);
      await platform.process(name).end("SIGKILL");
      await platform.process(name).start();

      await reach(body["externalPaymentId"], "Completed");
      expect(await entry("instructions", paymentId)).toMatchObject({ status: "PAID", releases: 1 });
    }
  });

  it("can be stopped while its rail holds it, and not once it has gone on", async () => {
    await client.fault({ rail: "pix", operation: "callback", status: 503, times: 50 });
    await client.fault({ rail: "pix", operation: "query", status: 503, times: 50 });
    const body = await push({ additionalData: { statementNarrative: "SIM:hold-release" } });
    const { paymentId } = (await client.pay(body)).body;
    await reach(body["externalPaymentId"], "PayoutHold");
    expect(await operator("holds", "list")).toMatchObject({ holds: [{ paymentId, kind: "RAIL" }] });

    const first = await operator("holds", "reject", "demo", String(paymentId));
    expect(first).toEqual({ transactionState: "CancelRequested" });
    await client.clearFaults();
    await reach(body["externalPaymentId"], "Cancelled");
    expect(await entry("instructions", paymentId)).toMatchObject({ releases: 0 });
    await expect(operator("holds", "reject", "other", String(paymentId))).rejects.toThrow("PAY_404");

    const paid = await push({});
    const done = (await client.pay(paid)).body["paymentId"];
    await reach(paid["externalPaymentId"], "Completed");
    await expect(operator("holds", "reject", "demo", String(done))).rejects.toThrow("PAY_409");
  });

  it("is not all that operators see: books are compared, persons decided about and erased", async () => {
    expect(await operator("ledger", "reconcile")).toMatchObject({ classes: expect.any(Array) as unknown });
    const headers = { "content-type": "application/json", "x-api-key": platform.credentials.tenants[0]?.apiKey ?? "" };
    const made = await client.send("POST", "/people", headers, JSON.stringify(listed));
    const id = String(made.body["id"]);
    expect(made.body["status"]).toBe("IN_REVIEW");
    const show = () => client.send("GET", `/organizations/demo/people/${id}`, { "x-api-key": headers["x-api-key"] });
    const keyedPatch = (who: string, change: object) =>
      client.send("PATCH", `/people/${who}`, headers, JSON.stringify(change));

    expect(await decide("approve", id)).toMatchObject({ kind: "PERSON", status: "APPROVED" });
    expect((await show()).body["status"]).toBe("APPROVED");
    const { exceptions } = (await operator("exceptions", "list", "demo")) as { exceptions: Json[] };
    const mine = exceptions.find(({ subjectId }) => subjectId === id);
    expect(mine).toMatchObject({ entryId: "sandbox-2", author: expect.any(String) as unknown });
    await operator("exceptions", "revoke", "demo", String(mine?.["exceptionId"]));
    await until(show, ({ body }) => body["status"] === "IN_REVIEW");
    expect((await show()).body["status"]).toBe("IN_REVIEW");

    await keyedPatch(id, { identificationType: "PASSPORT", identification: "RV-4711" });
    const found = () => operator("participants", "find", "demo", "PASSPORT", "rv4711");
    expect(await found()).toMatchObject({ participants: [{ participantId: id, kind: "PERSON" }], next: null });
    await operator("participants", "erase", "demo", id);
    expect(await found()).toEqual({ participants: [], next: null });
    expect((await show()).status).toBe(404);
    await expect(operator("participants", "erase", "other", id)).rejects.toThrow("PER_404");
  });
});
