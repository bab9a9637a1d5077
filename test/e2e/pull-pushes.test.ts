import type { Platform } from "../../local/platform";
import { type OutsideWorld, outsideWorld, type WorldEntry } from "../support/outside-world";
import { bankSource, cardSource, pullPushBody } from "../support/payment-bodies";
import { connectClient, type PlatformClient, type Reply, statesOf, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const cardPath = [
  "Created",
  "PaymentProcessing",
  "PaymentAuthorized",
  "ProcessingPayout",
  "PayoutAccepted",
  "ReviewApproved",
  "PaymentCaptured",
  "WaitingPayout",
  "Paid",
  "Completed",
];
const bankPath = [...cardPath.slice(0, 7), "WaitingSettlement", "PaymentSettled", ...cardPath.slice(7)];
const sim = (name: string): object => ({ additionalData: { statementNarrative: `SIM:${name}` } });

/** A call that is never answered, executed or not. */
const silence = (isExecuted: boolean): object => (isExecuted ? { timeoutAfterExecute: true } : { status: 503 });

/** One for all: a tenant has sixteen. */
const sink = "pullpush";

describe("a PULLPUSH", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
    await client.subscribe(sink);
  });

  afterEach(() => client.clearFaults());

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const entry = async (book: string, reference: unknown): Promise<WorldEntry | undefined> =>
    (await world.book())[book]?.find((one) => one.reference === reference);
  const agentHeaders = (): Record<string, string> => {
    const [tenant] = platform.credentials.tenants;
    const [agent] = tenant?.agents ?? [];
    return {
      "x-api-key": tenant?.apiKey ?? "",
      "x-agent-id": agent?.agentId ?? "",
      "x-agent-api-key": agent?.apiKey ?? "",
    };
  };
  const cancel = (paymentId: unknown): Promise<Reply> =>
    client.send("POST", `/fx/transactions/${String(paymentId)}/cancel`, agentHeaders());

  /** Sends it and waits for the states that it is to go through. */
  async function run(body: Record<string, unknown>, states: readonly string[]) {
    const id = String(body["externalPaymentId"]);
    const reply = await client.pay(body);
    const items = await until(
      () => client.sink(sink),
      (found) => statesOf(found, id).length >= states.length,
    );
    const record = await until(
      () => client.payment(id),
      ({ body: found }) => found["status"] !== "PENDING",
    );
    return { reply, states: statesOf(items, id), record: record.body, paymentId: reply.body["paymentId"] };
  }

  it("collects from a card and pays out, with a leg for each", async () => {
    const done = await run(pullPushBody(cardSource("1")), cardPath);

    expect(done.reply).toMatchObject({ status: 200, body: { status: "PENDING", approved: false } });
    expect(done.states).toEqual(cardPath);
    expect(done.record).toMatchObject({ status: "CAPTURED", capturedAmount: 100, card: { cardType: "DEBIT" } });
    expect(await entry("authorizations", done.paymentId)).toMatchObject({ captures: [{ amount: "100" }] });
    expect(await entry("instructions", done.paymentId)).toMatchObject({ status: "PAID", releases: 1 });
    const [, captured] = done.record["history"] as Record<string, unknown>[];
    const leg = await client.payment(String(captured?.["paymentId"]));
    expect(leg.body).toMatchObject({ parentPaymentId: done.paymentId, status: "CAPTURED" });
  });

  it("collects from a bank account and releases only what has settled", async () => {
    const done = await run(pullPushBody(bankSource()), bankPath);

    expect(done.states).toEqual(bankPath);
    expect(done.record).toMatchObject({ status: "CAPTURED", capturedAmount: 100 });
    expect(await entry("debits", done.paymentId)).toMatchObject({ status: "SETTLED" });
    expect(await entry("instructions", done.paymentId)).toMatchObject({ status: "PAID", releases: 1 });
  });

  it.each([
    ["reject-account", "DECLINED", [...cardPath.slice(0, 4), "PayoutRejected", "Voided"]],
    ["hold-reject", "DECLINED", [...cardPath.slice(0, 4), "PayoutHold", "PayoutRejected", "Voided"]],
    ["review-reject", "DECLINED", [...cardPath.slice(0, 5), "ManualReview", "ReviewRejected", "Voided"]],
  ])("voids the authorisation under SIM:%s", async (name, status, states) => {
    const done = await run(pullPushBody(cardSource("1"), sim(name)), states);

    expect(done.states).toEqual(states);
    expect(done.record).toMatchObject({ status, capturedAmount: 0 });
    expect(await entry("authorizations", done.paymentId)).toMatchObject({ status: "VOIDED", captures: [] });
    expect(await entry("instructions", done.paymentId)).toMatchObject({ releases: 0 });
  });

  it.each([
    ["timeout-then-absent", [...cardPath.slice(0, 8), "CancelRequested", "PendingReversalApproval", "Refunded"], 0],
    ["return-after-paid", [...cardPath, "PendingReversalApproval", "Refunded"], 1],
  ])(
    "gives back what it collected under SIM:%s",
    async (name, states, releases) => {
      const done = await run(pullPushBody(cardSource("1"), sim(name)), states);
      const record = await until(
        () => client.payment(String(done.record["externalId"])),
        ({ body }) => body["status"] === "REFUNDED",
      );

      expect(done.states).toEqual(states);
      expect(record.body).toMatchObject({ status: "REFUNDED", refundedAmount: 100 });
      expect(await entry("authorizations", done.paymentId)).toMatchObject({ refunds: [{ amount: "100" }] });
      expect(await entry("instructions", done.paymentId)).toMatchObject({ releases });
    },
    240_000,
  );

  it("is DECLINED by a declining card, and no rail ever hears of it", async () => {
    const done = await run(pullPushBody(cardSource("3")), ["Created", "PaymentProcessing", "PaymentDeclined"]);

    expect(done.record).toMatchObject({ status: "DECLINED" });
    expect(await entry("instructions", done.paymentId)).toBeUndefined();
  });

  it("is DECLINED when the bank rejects the debit, and its prepared payout is cancelled", async () => {
    const states = [...cardPath.slice(0, 6), "CancelRequested", "Voided"];
    const done = await run(pullPushBody(bankSource("000000003")), states);

    expect(done.states).toEqual(states);
    expect(done.record).toMatchObject({ status: "DECLINED", capturedAmount: 0 });
    expect(await entry("instructions", done.paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
  });

  it("is stopped by a cancel before its release, once, and not by a void, capture or refund", async () => {
    const body = pullPushBody(cardSource("1"), sim("hold-release"));
    // The payment stays where its rail holds it until this test has cancelled it.
    for (const operation of ["callback", "query"])
      await client.fault({ rail: "pix", operation, status: 503, times: 1_000 });
    const reply = await client.pay(body);
    const id = String(body["externalPaymentId"]);
    const headers = { authorization: `Bearer ${await client.token()}` };

    const voided = await client.send("POST", `/payments/${id}/void`, headers);
    const cancelled = await until(
      () => cancel(reply.body["paymentId"]),
      ({ status }) => status === 200,
    );
    const again = await cancel(reply.body["paymentId"]);
    await client.clearFaults();
    const record = await until(
      () => client.payment(id),
      ({ body: found }) => found["status"] !== "PENDING",
    );

    expect(voided).toMatchObject({ status: 409, body: { code: "PAY_409" } });
    expect(cancelled.body).toMatchObject({ status: "CancelRequested", externalTransactionId: id });
    expect(again.text).toBe(cancelled.text);
    expect(record.body).toMatchObject({ status: "VOIDED", capturedAmount: 0 });
    expect(await entry("authorizations", reply.body["paymentId"])).toMatchObject({ status: "VOIDED" });
    expect(await entry("instructions", reply.body["paymentId"])).toMatchObject({ status: "CANCELLED", releases: 0 });
    expect(await cancel("00000000-0000-8000-8000-000000000000")).toMatchObject({ status: 404 });
  });

  const calls = [
    ["acquirer", "authorize"],
    ["pix", "prepare"],
    ["screening", "screen"],
    ["acquirer", "capture"],
    ["pix", "release"],
  ] as const;
  it.each(calls.flatMap(([rail, operation]) => [true, false].map((executed) => [rail, operation, executed] as const)))(
    "is neither lost nor doubled when %s never answers %s (executed: %s)",
    async (rail, operation, executed) => {
      await client.fault({
        rail,
        operation,
        times: 1,
        ...silence(executed),
      });

      const done = await run(pullPushBody(cardSource("1")), cardPath);

      expect(done.record).toMatchObject({ status: "CAPTURED" });
      expect(await entry("authorizations", done.paymentId)).toMatchObject({
        captures: [{ amount: "100" }],
        refunds: [],
      });
      expect(await entry("instructions", done.paymentId)).toMatchObject({ status: "PAID", releases: 1 });
    },
    240_000,
  );

  it.each([true, false])(
    "is neither lost nor doubled when the bank never answers the debit (executed: %s)",
    async (executed) => {
      await client.fault({ rail: "debits", operation: "debit", times: 1, ...silence(executed) });

      const done = await run(pullPushBody(bankSource()), bankPath);

      expect(done.record).toMatchObject({ status: "CAPTURED", capturedAmount: 100 });
      expect(await entry("debits", done.paymentId)).toMatchObject({ status: "SETTLED", amount: "100", refunds: [] });
      expect(await entry("instructions", done.paymentId)).toMatchObject({ status: "PAID", releases: 1 });
    },
    240_000,
  );

  it.each([true, false])(
    "is cancelled for good when the rail never answers the cancel of a rejected debit (executed: %s)",
    async (executed) => {
      await client.fault({ rail: "pix", operation: "cancel", times: 1, ...silence(executed) });

      const done = await run(pullPushBody(bankSource("000000003")), [
        ...cardPath.slice(0, 6),
        "CancelRequested",
        "Voided",
      ]);

      expect(done.record).toMatchObject({ status: "DECLINED", capturedAmount: 0 });
      expect(await entry("debits", done.paymentId)).toMatchObject({ status: "REJECTED" });
      expect(await entry("instructions", done.paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
    },
    240_000,
  );

  it.each([true, false])(
    "gives back once what it collected when neither cancel nor refund is answered (executed: %s)",
    async (executed) => {
      await client.fault({ rail: "pix", operation: "cancel", times: 1, ...silence(executed) });
      await client.fault({ rail: "acquirer", operation: "refund", times: 1, ...silence(executed) });
      const body = pullPushBody(cardSource("1"), sim("timeout-then-absent"));

      const reply = await client.pay(body);
      const record = await until(
        () => client.payment(String(body["externalPaymentId"])),
        ({ body: found }) => found["status"] === "REFUNDED",
      );

      expect(record.body).toMatchObject({ status: "REFUNDED", capturedAmount: 100, refundedAmount: 100 });
      expect(await entry("authorizations", reply.body["paymentId"])).toMatchObject({
        captures: [{ amount: "100" }],
        refunds: [{ amount: "100" }],
      });
      expect(await entry("instructions", reply.body["paymentId"])).toMatchObject({ releases: 0 });
    },
    240_000,
  );

  it.each([true, false])(
    "is voided once when the acquirer never answers the void after a refused payout (executed: %s)",
    async (executed) => {
      await client.fault({ rail: "acquirer", operation: "void", times: 1, ...silence(executed) });

      const states = [...cardPath.slice(0, 4), "PayoutRejected", "Voided"];
      const done = await run(pullPushBody(cardSource("1"), sim("reject-account")), states);

      expect(done.record).toMatchObject({ status: "DECLINED", capturedAmount: 0 });
      expect(await entry("authorizations", done.paymentId)).toMatchObject({ status: "VOIDED", captures: [] });
      expect(await entry("instructions", done.paymentId)).toMatchObject({ releases: 0 });
    },
    240_000,
  );
});
