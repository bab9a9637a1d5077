import type { Platform } from "../../local/platform";
import { customerPayload, type Json, type PayloadCase, payloadCases } from "../support/corridor-payloads";
import { type OutsideWorld, outsideWorld, type WorldEntry } from "../support/outside-world";
import { cardToken } from "../support/payment-bodies";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  type Reply,
  statesOf,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const quoteMethods: Readonly<Record<string, string>> = { WALLET: "WALLET", CARD: "CARD" };
const isFinal = ({ body }: Reply): boolean => body["status"] !== "PENDING";
const clients = 8;

describe("a push", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
  });

  afterEach(() => client.clearFaults());

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const final = (id: unknown): Promise<Reply> => until(() => client.payment(String(id)), isFinal);
  const instructions = async (): Promise<WorldEntry[]> => (await world.book())["instructions"] ?? [];
  const instruction = async (reference: unknown) =>
    (await instructions()).find((entry) => entry.reference === reference);

  /** A sample payload with a fresh id and a live quote. */
  async function quoted({ payload }: PayloadCase): Promise<Json> {
    const method = Object(Object(payload["recipient"])["paymentMethod"]) as Json;
    const { currency } = Object(payload["recipientAmount"]) as Json;
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const order = {
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: currency,
      paymentMethod: quoteMethods[String(method["type"])] ?? "BANK_ACCOUNT",
    };
    const quote = await insist(() => client.send("POST", "/v2/foreign-exchange", headers, JSON.stringify(order)));
    return {
      ...payload,
      externalPaymentId: freshId(),
      fxId: quote.body["fxId"],
      recipientAmount: { currency, total: 100 * Number(quote.body["conversionRate"]) },
    };
  }

  it("is paid once on every corridor, by every method that the corridor offers", async () => {
    const cases = payloadCases.filter(({ expectField }) => expectField === undefined);
    const queue = cases.values();
    const paid: { name: string; body: Json; paymentId: unknown }[] = [];
    const refused: unknown[] = [];
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (const sample of queue) {
          const body = await quoted(sample);
          const reply = await insist(() => client.pay(body));
          const name = `${sample.country} ${sample.name}`;
          if (reply.status === 200) paid.push({ name, body, paymentId: reply.body["paymentId"] });
          else refused.push([name, reply.text]);
        }
      }),
    );
    expect(refused).toEqual([]);
    const wrong: unknown[] = [];
    for (const { name, body } of paid) {
      const record = await final(body["externalPaymentId"]);
      if (record.body["status"] !== "CAPTURED") wrong.push([name, record.body["status"]]);
    }
    const book = new Map((await instructions()).map((entry) => [entry.reference, entry]));
    const unpaid = paid.filter(({ paymentId }) => {
      const entry = book.get(String(paymentId));
      return entry?.status !== "PAID" || entry["releases"] !== 1;
    });

    expect(wrong).toEqual([]);
    expect(unpaid.map(({ name }) => name)).toEqual([]);
    expect(new Set([...book.values()].map((entry) => entry["rail"]))).toEqual(
      new Set(["pix", "bank", "upi", "dimo", "wallet", "card"]),
    );
  }, 240_000);

  it.each([
    [{ type: "PIX", pix: { keyType: "EMAIL", key: "maria@example.com" } }, "BRA", "pix"],
    [{ type: "CARD", cardTokenId: cardToken("1") }, "POL", "card"],
    [{ type: "WALLET", wallet: { walletId: "254712345678" } }, "KEN", "wallet"],
  ])("is priced by the platform and paid in the customer shape: %j", async (destination, country, rail) => {
    const body = { ...customerPayload(country, destination), externalPaymentId: freshId() };

    const reply = await client.pay(body);
    const record = await final(body.externalPaymentId);

    expect(reply.status).toBe(200);
    expect(record.body["status"]).toBe("CAPTURED");
    expect(await instruction(reply.body["paymentId"])).toMatchObject({ rail, status: "PAID", releases: 1 });
  });

  const happy = [
    "Created",
    "ProcessingPayout",
    "PayoutAccepted",
    "ReviewApproved",
    "WaitingPayout",
    "Paid",
    "Completed",
  ];
  it.each([
    ["paid", "CAPTURED", happy],
    ["hold-release", "CAPTURED", [...happy.slice(0, 2), "PayoutHold", "PayoutReleased", ...happy.slice(2)]],
    ["hold-reject", "DECLINED", [...happy.slice(0, 2), "PayoutHold", "PayoutRejected", "Cancelled"]],
    ["reject-account", "DECLINED", [...happy.slice(0, 2), "PayoutRejected", "Cancelled"]],
    ["return-after-paid", "REFUNDED", [...happy, "Refunded"]],
    ["review-approve", "CAPTURED", [...happy.slice(0, 3), "ManualReview", ...happy.slice(3)]],
    ["review-reject", "DECLINED", [...happy.slice(0, 3), "ManualReview", "ReviewRejected", "Cancelled"]],
    ["timeout-then-paid", "CAPTURED", happy],
    ["timeout-then-absent", "ERROR", [...happy.slice(0, 5), "Error"]],
    ["duplicate-callback", "CAPTURED", happy],
    ["out-of-order", "CAPTURED", happy],
  ])(
    "under SIM:%s ends as %s, and tells each state once and in order",
    async (name, status, states) => {
      const sink = `sim-${name}`;
      await client.subscribe(sink);
      const body = pushBody(freshId(), await client.quote(), {
        additionalData: { statementNarrative: `order SIM:${name}` },
      });
      const id = String(body["externalPaymentId"]);

      const reply = await client.pay(body);
      const record = await until(
        () => client.payment(id),
        (found) => found.body["status"] === status,
      );
      const items = await until(
        () => client.sink(sink),
        (found) => statesOf(found, id).length >= states.length,
      );

      expect(record.body["status"]).toBe(status);
      expect(statesOf(items, id)).toEqual(states);
      const releases = ["CAPTURED", "REFUNDED"].includes(status) ? 1 : 0;
      expect(await instruction(reply.body["paymentId"])).toMatchObject({ releases });
    },
    240_000,
  );

  it("credits a wallet of this platform, and no rail hears of it", async () => {
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const order = { accountAsset: "KES", ownerId: "owner-1", beneficiaryId: "owner-1", type: "PERSONAL" };
    const wallet = await client.send("POST", "/wallets", headers, JSON.stringify(order));
    const walletId = String(wallet.body["walletId"]);
    const body = {
      ...customerPayload("KEN", { type: "WALLET", wallet: { walletId } }),
      externalPaymentId: freshId(),
    };

    const reply = await client.pay(body);
    const record = await final(body.externalPaymentId);
    const timeline = await client.send("GET", `/v2/payment/${body.externalPaymentId}/timeline`, headers);
    const balance = await until(
      () => client.send("GET", `/wallets/${walletId}/balance`, headers),
      (found) => Number(found.body["availableBalance"]) > 0,
    );

    expect(reply.status).toBe(200);
    expect(record.body["status"]).toBe("CAPTURED");
    expect(await instruction(reply.body["paymentId"])).toBeUndefined();
    const [posted] = timeline.body["postings"] as {
      postings: { account: string; currency: string; amount: number }[];
    }[];
    const credited = posted?.postings.find(({ account }) => account === "platform/suspense");
    expect(credited).toMatchObject({ currency: "KES", amount: balance.body["availableBalance"] });
  });

  it("is refused with PAY_413 once the rail's funds are promised, however many ask at once, and stores nothing", async () => {
    await world.setBalance("pix", "BRL", "1200");
    // More than any allotment holds: the refusal ends the one from which earlier payments were promised.
    const huge = await until(
      async () => {
        const quote = await client.quote();
        const amount = { total: 20_000_000, currency: "USD" };
        const recipientAmount = { total: 20_000_000 * quote.conversionRate, currency: "BRL" };
        return client.pay(pushBody(freshId(), quote, { amount, recipientAmount }));
      },
      ({ status }) => status === 422,
    );
    expect(huge.body["code"]).toBe("PAY_413");
    const bodies = [];
    for (let count = 0; count < 8; count += 1) {
      const quote = await client.quote();
      const recipientAmount = { total: 100 * quote.conversionRate, currency: "BRL" };
      bodies.push(pushBody(freshId(), quote, { recipientAmount }));
    }
    const each = Number(Object(Object(bodies[0])["recipientAmount"])["total"]);

    const replies = await Promise.all(bodies.map((body) => client.pay(body)));
    const accepted = bodies.filter((_, index) => replies[index]?.status === 200);
    const refused = replies.filter(({ status }) => status !== 200);
    const records = await Promise.all(accepted.map((body) => final(body["externalPaymentId"])));

    expect(accepted).toHaveLength(Math.floor(1_200 / each));
    expect(refused.map(({ status, body }) => [status, body["code"]])).toEqual(refused.map(() => [422, "PAY_413"]));
    expect(records.map(({ body }) => body["status"])).toEqual(records.map(() => "CAPTURED"));
    for (const [index, body] of bodies.entries()) {
      const { status } = await client.payment(String(body["externalPaymentId"]));
      expect(status).toBe(replies[index]?.status === 200 ? 200 : 404);
    }
    await world.setBalance("pix", "BRL", "1000000000");
    const again = await until(
      async () => client.pay(pushBody(freshId(), await client.quote())),
      ({ status }) => status === 200,
    );
    expect(again.status).toBe(200);
  });

  it("tells its whole story in the timeline", async () => {
    const sink = "timeline";
    await client.subscribe(sink);
    const body = pushBody(freshId(), await client.quote());
    await client.pay(body);
    await until(
      () => client.sink(sink),
      (found) => statesOf(found, String(body["externalPaymentId"])).length >= happy.length,
    );
    const headers = { authorization: `Bearer ${await client.token()}` };
    const path = `/v2/payment/${String(body["externalPaymentId"])}/timeline`;

    const timeline = await client.send("GET", path, headers);

    expect(timeline.status).toBe(200);
    expect((timeline.body["states"] as { to: string }[]).map(({ to }) => to)).toEqual(happy);
    expect((timeline.body["attempts"] as object[]).slice(0, 3)).toMatchObject([
      { step: "prepare", provider: "pix", approach: "send", outcome: "PREPARED" },
      { step: "screen", provider: "identity", approach: "send", outcome: "APPROVED" },
      { step: "release", provider: "pix", approach: "send", outcome: "RELEASED" },
    ]);
    expect(timeline.body["compliance"]).toMatchObject([
      { from: null, to: "Pending" },
      { from: "Pending", to: "Approved" },
    ]);
    expect(timeline.body["postings"]).toMatchObject([
      {
        kind: "payout",
        postings: [{ account: "tenant/demo/funding", currency: "USD", amount: -100 }, {}, {}, {}, {}, {}],
      },
    ]);
    expect((timeline.body["webhookDeliveries"] as unknown[]).length).toBeGreaterThan(0);
    expect((await client.send("GET", "/v2/payment/unknown/timeline", headers)).body["code"]).toBe("PAY_404");
  });

  it("sets gmtReceipt when a money-services network pays the wallet", async () => {
    await client.subscribe("msn", ["TransactionPayoutStatusChanged"]);
    const sample = payloadCases.find(({ country, name }) => country === "KEN" && name.includes("WALLET"));
    if (sample === undefined) throw new Error("no sample");
    const body = await quoted(sample);
    const recipient = Object(body["recipient"]) as Json;
    const paymentMethod = { ...Object(recipient["paymentMethod"]), walletOperator: "AIRTEL_MONEY" };

    const reply = await client.pay({ ...body, recipient: { ...recipient, paymentMethod } });
    await final(body["externalPaymentId"]);
    const told = (found: { body: string }[]) =>
      found.filter((item) => item.body.includes(String(body["externalPaymentId"])));
    const items = await until(
      () => client.sink("msn"),
      (found) => told(found).some((item) => item.body.includes('"CAPTURED"')),
    );

    const last = JSON.parse(told(items).at(-1)?.body ?? "{}") as Json;
    expect(await instruction(reply.body["paymentId"])).toMatchObject({ rail: "msn", receipt: last["gmtReceipt"] });
    expect(last["gmtReceipt"]).toMatch(/^\d{10}$/);
  });

  it.each(["prepare", "release", "query", "callback"])(
    "is neither lost nor doubled when a rail gives no answer to half of all calls: %s",
    async (operation) => {
      const bodies = [];
      for (let count = 0; count < 6; count += 1) bodies.push(pushBody(freshId(), await client.quote()));
      const silences = [{ timeoutAfterExecute: true }, { status: 503 }];
      for (const silence of silences) await client.fault({ rail: "pix", operation, times: 3, ...silence });

      const replies = await Promise.all(bodies.map((body) => client.pay(body)));
      const records = await Promise.all(bodies.map((body) => final(body["externalPaymentId"])));
      const entries = await Promise.all(replies.map(({ body }) => instruction(body["paymentId"])));

      expect(records.map(({ body }) => body["status"])).toEqual(records.map(() => "CAPTURED"));
      expect(entries.map((entry) => [entry?.status, entry?.["releases"]])).toEqual(entries.map(() => ["PAID", 1]));
    },
    240_000,
  );
});
