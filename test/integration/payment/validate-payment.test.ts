import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { payloadCases } from "../../support/corridor-payloads";
import { cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { insistent } from "./looks";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld } from "./payment-world";

type Json = Record<string, unknown>;

const bodies = 1_000;
const atOnce = 8;

describe("the preflight and the acceptance", () => {
  let world: PaymentWorld;
  let replica: PaymentRpc;

  const preflight = async (body: object) => {
    const { problems, price, fees } = await insistent(() =>
      replica.validatePayment({ tenant: demo, bodyJson: Buffer.from(JSON.stringify(body)) }),
    );
    return { reasons: problems.map(({ reason }) => reason), fields: problems.map(({ field }) => field), price, fees };
  };
  const payoutOf = async (externalId: unknown) =>
    world.mongo.connection
      .collection<{ tenant: string; externalId: string; payoutMinor?: bigint }>("payments")
      .findOne({ tenant: demo, externalId: String(externalId) });

  beforeAll(async () => {
    world = await startPaymentWorld();
    [replica] = world.replicas;
  }, 120_000);
  afterAll(() => world.stop());

  it("take a payout of nothing alike: it promises nothing, and its rail decides", async () => {
    const nothing = { amount: { total: 0, currency: "USD" }, recipientAmount: { total: 0, currency: "BRL" } };
    const body = await world.push(nothing);

    expect(await preflight(body)).toMatchObject({ reasons: [] });
    expect(await world.accept(replica, body)).toMatchObject({ text: expect.stringContaining('"paymentId"') as string });
  });

  it("price the customer shape without a quote alike", async () => {
    const body = pullPushBody(cardSource("1"));
    const { reasons, price } = await preflight(body);
    const answer = await world.accept(replica, body);

    expect(reasons).toEqual([]);
    expect(answer.text).toBeDefined();
    expect(price?.recipientAmount?.amountMinor).toBe((await payoutOf(body["externalPaymentId"]))?.payoutMinor);
  });

  it.each<[string, () => Promise<Json>, string, string]>([
    [
      "an unknown card token",
      async () => cardPullBody("1", { sender: unknownCard(cardPullBody("1")) }),
      "INVALID_ARGUMENT",
      "sender.paymentMethod.cardTokenId",
    ],
    [
      "more than the rail's funds cover",
      async () => pullPushBody(cardSource("1"), { amount: { total: 90_000_000_000, currency: "USD" } }),
      "FUNDS_TOO_LOW",
      "amount.total",
    ],
    [
      "a quote for another method",
      async () => world.push({}, (await world.quote({ paymentMethod: "CARD" })).fxId),
      "QUOTE_MISMATCH",
      "fxId",
    ],
    [
      "another tenant's quote",
      async () => world.push({}, (await world.quote({ tenant: "other" })).fxId),
      "QUOTE_UNUSABLE",
      "fxId",
    ],
    [
      "money that no route takes",
      async () => {
        const { fxId, conversionRate } = await world.quote({ sourceCurrency: "JPY" });
        return world.push(
          {
            amount: { total: 100_000, currency: "JPY" },
            recipientAmount: { total: 100_000 * conversionRate, currency: "BRL" },
          },
          fxId,
        );
      },
      "NO_ROUTE",
      "recipient",
    ],
    [
      "an amount that becomes next to nothing",
      async () => pullPushBody(cardSource("1"), { amount: { total: 0.05, currency: "USD" } }),
      "INVALID_ARGUMENT",
      "amount.total",
    ],
  ])("both refuse %s", async (_case, make, reason, field) => {
    const body = await make();

    const { reasons, fields, price } = await preflight(body);
    const answer = await world.accept(replica, body);

    expect({ reasons, fields, price }).toEqual({ reasons: [reason], fields: [field], price: undefined });
    expect(answer.reason).toBe(reason);
    expect(await payoutOf(body["externalPaymentId"])).toBeNull();
  });

  it("both find a used quote used", async () => {
    const { fxId } = await world.quote();
    await world.accept(replica, await world.push({}, fxId));

    expect(await preflight(await world.push({}, fxId))).toMatchObject({
      reasons: ["QUOTE_UNUSABLE"],
      fields: ["fxId"],
    });
  });

  it(`agree about ${bodies} random bodies of all corridors: what is promised is kept, to the minor unit`, async () => {
    const samples = fc.sample(randomBodies(), { numRuns: bodies, seed: 20_261_122 });
    const broken: unknown[] = [];
    const counts = { accepted: 0, refused: 0 };
    const check = async (make: (rate: (changes: object) => ReturnType<PaymentWorld["quote"]>) => Promise<Json>) => {
      const body = await make(world.quote);
      const promised = await preflight(body);
      const answer = await world.accept(replica, body);
      const isPromised = promised.reasons.length === 0;
      const isKept = answer.text !== undefined;
      counts[isKept ? "accepted" : "refused"] += 1;
      const paid = isKept ? (await payoutOf(body["externalPaymentId"]))?.payoutMinor : undefined;
      const isSamePrice = promised.price?.recipientAmount?.amountMinor === paid;
      const isSameReason = isKept || promised.reasons.includes(String(answer.reason));
      if (isPromised !== isKept || !isSamePrice || !isSameReason) broken.push({ body, promised, answer });
    };
    const queue = [...samples];
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await check(next);
    };
    await Promise.all(Array.from({ length: atOnce }, work));

    expect(broken.slice(0, 3)).toEqual([]);
    expect(counts.accepted).toBeGreaterThan(bodies / 10);
    expect(counts.refused).toBeGreaterThan(bodies / 10);
  }, 900_000);
});

const unknownCard = (body: Json): object => ({
  ...Object(body["sender"]),
  paymentMethod: { type: "CARD", cardTokenId: "12345678-1234-4234-8234-123456789012" },
});

/** Bodies near what is right: of every corridor with and without a quote that fits, and of both other types. */
function randomBodies() {
  const totals = fc.constantFrom(100, 1, 0.01, 0, 0.3, 250.55, 90_000_000_000, 100.001, -1);
  const quoted = fc.constantFrom("fits", "fits", "fits", "method", "country", "none", "unknown");
  const sources = fc.constantFrom("USD", "USD", "USD", "EUR", "JPY");
  const off = fc.constantFrom(0, 0, 0, 0, 0.004, 1);
  const sample = fc.constantFrom(...payloadCases);
  const push = fc
    .record({ sample, total: totals, quoted, source: sources, off })
    .map((choice) => async (quote: (changes: object) => ReturnType<PaymentWorld["quote"]>) => pushOf(choice, quote));
  const digit = fc.constantFrom("1", "2", "4", "3", "f");
  const pull = fc.record({ digit, total: totals, capture: fc.boolean() }).map(
    ({ total, capture, ...card }) =>
      () =>
        Promise.resolve(cardPullBody(card.digit, { capture, amount: { total, currency: "USD" } })),
  );
  const both = fc.record({ digit, total: totals }).map(
    ({ total, ...card }) =>
      () =>
        Promise.resolve(pullPushBody(cardSource(card.digit), { amount: { total, currency: "USD" } })),
  );
  return fc.oneof({ weight: 8, arbitrary: push }, { weight: 1, arbitrary: pull }, { weight: 2, arbitrary: both });
}

interface Choice {
  sample: (typeof payloadCases)[number];
  total: number;
  quoted: string;
  source: string;
  off: number;
}

async function pushOf(
  { sample, total, quoted, source, off }: Choice,
  quote: (changes: object) => ReturnType<PaymentWorld["quote"]>,
): Promise<Json> {
  const recipient = Object(sample.payload["recipient"]) as Json;
  const { type, countryCode } = Object(recipient["paymentMethod"]) as { type?: string; countryCode?: string };
  const currency = String(Object(sample.payload["recipientAmount"])["currency"]);
  const fitting = type === "WALLET" || type === "CARD" ? type : "BANK_ACCOUNT";
  const paymentMethod = quoted === "method" ? (fitting === "CARD" ? "WALLET" : "CARD") : fitting;
  const { fxId, conversionRate } = await quote({
    sourceCurrency: source,
    destinationCurrency: currency,
    paymentMethod,
    // Any country but the one that is paid to.
    ...(quoted === "country" ? { destinationCountry: countryCode === "BRA" ? "MEX" : "BRA" } : {}),
  }).catch(() => ({ fxId: randomUUID(), conversionRate: 1 }));
  const named = quoted === "unknown" ? randomUUID() : fxId;
  const converted = Number((Math.max(total, 0) * conversionRate + off).toPrecision(15));
  return {
    ...sample.payload,
    externalPaymentId: `order-${randomUUID()}`,
    paymentType: "PUSH",
    amount: { total, currency: source },
    recipientAmount: { total: converted, currency },
    ...(quoted === "none" ? { fxId: undefined } : { fxId: named }),
  };
}
