import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { publicErrors } from "../../../gateway/render-error";
import { DomainError, errorReasons } from "../../../services/shared/kernel/errors";
import { formatMoney, money } from "../../../services/shared/kernel/money";
import { payloadCases } from "../../support/corridor-payloads";
import { cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { askPreflight, type Preflight } from "../../support/payment-door";
import { insistent } from "./looks";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld } from "./payment-world";

type Json = Record<string, unknown>;

/** `make test-long` asks about ten times as many. */
const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const bodies = 1_000 * factor;
const atOnce = 8;

describe("the preflight and the acceptance", () => {
  let world: PaymentWorld;
  let replica: PaymentRpc;

  const preflight = async (body: object) => {
    const { errors, price } = await insistent(() => askPreflight(replica, demo, body)).catch(refusedItself);
    return { codes: errors.map(({ code }) => code), fields: errors.map(({ field }) => field), price };
  };
  /** What a stored payment pays out; undefined where there is none, or it pays nobody out. */
  const payoutOf = async (externalId: unknown) => {
    const stored = await world.mongo.connection
      .collection<{ tenant: string; externalId: string; payoutMinor?: bigint; payoutCurrency?: string }>("payments")
      .findOne({ tenant: demo, externalId: String(externalId) });
    const { payoutMinor, payoutCurrency } = stored ?? {};
    if (payoutMinor === undefined || payoutCurrency === undefined) return undefined;
    return { total: Number(formatMoney(money(payoutMinor, payoutCurrency))), currency: payoutCurrency };
  };

  beforeAll(async () => {
    world = await startPaymentWorld();
    [replica] = world.replicas;
  }, 120_000);
  afterAll(() => world.stop());

  it("take a payout of nothing alike: it promises nothing, and its rail decides", async () => {
    const nothing = { amount: { total: 0, currency: "USD" }, recipientAmount: { total: 0, currency: "BRL" } };
    const body = await world.push(nothing);

    expect(await preflight(body)).toMatchObject({ codes: [] });
    expect(await world.accept(replica, body)).toMatchObject({ text: expect.stringContaining('"paymentId"') as string });
  });

  it("price the customer shape without a quote alike", async () => {
    const body = pullPushBody(cardSource("1"));
    const { codes, price } = await preflight(body);
    const answer = await world.accept(replica, body);

    expect(codes).toEqual([]);
    expect(answer.text).toBeDefined();
    expect(price?.recipientAmount).toEqual(await payoutOf(body["externalPaymentId"]));
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

    const asked = await preflight(body);
    const answer = await world.accept(replica, body);

    expect(asked).toEqual({ codes: [codeOf(reason)], fields: [field], price: null });
    expect(answer.reason).toBe(reason);
    expect(await payoutOf(body["externalPaymentId"])).toBeUndefined();
  });

  it("both find a used quote used", async () => {
    const { fxId } = await world.quote();
    await world.accept(replica, await world.push({}, fxId));

    expect(await preflight(await world.push({}, fxId))).toMatchObject({
      codes: [codeOf("QUOTE_UNUSABLE")],
      fields: ["fxId"],
    });
  });

  it(
    `agree about ${bodies} random bodies of all corridors: what is promised is kept, to the minor unit`,
    async () => {
      const samples = fc.sample(randomBodies(), { numRuns: bodies, seed: 20_261_122 });
      const broken: unknown[] = [];
      const counts = { accepted: 0, refused: 0, malformed: 0 };
      const check = async (make: (quote: Quote) => Promise<Json>) => {
        const body = await make(world.quote);
        const promised = await preflight(body);
        const answer = await world.accept(replica, body);
        const isKept = answer.text !== undefined;
        counts[isKept ? "accepted" : answer.reason === "INVALID_ARGUMENT" ? "malformed" : "refused"] += 1;
        const paid = isKept ? await payoutOf(body["externalPaymentId"]) : undefined;
        const seen = {
          codes: isKept ? [] : [...new Set(promised.codes)],
          // A refusal for another reason names the field in its own way.
          fields: answer.reason === "INVALID_ARGUMENT" ? answer.fields : promised.fields,
          price: paid ?? null,
        };
        const said = {
          codes: [...new Set(promised.codes)],
          fields: promised.fields,
          price: promised.price?.recipientAmount ?? null,
        };
        const isSameReason = isKept || promised.codes.includes(codeOf(answer.reason));
        if (!isDeepStrictEqual(said, seen) || !isSameReason) broken.push({ body, promised, answer });
      };
      const queue = [...samples];
      const work = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) await check(next);
      };
      await Promise.all(Array.from({ length: atOnce }, work));

      expect(broken.slice(0, 3)).toEqual([]);
      expect(counts.accepted).toBeGreaterThan(bodies / 20);
      expect(counts.refused).toBeGreaterThan(bodies / 10);
      expect(counts.malformed).toBeGreaterThan(bodies / 10);
    },
    900_000 * factor,
  );
});

const unknownCard = (body: Json): object => ({
  ...Object(body["sender"]),
  paymentMethod: { type: "CARD", cardTokenId: "12345678-1234-4234-8234-123456789012" },
});

/** What no JSON text may hold the preflight refuses itself. */
function refusedItself(error: unknown): Pick<Preflight, "errors" | "price"> {
  if (!(error instanceof DomainError) || error.reason !== "INVALID_ARGUMENT") throw error;
  return { errors: error.violations.map((violation) => ({ code: "VE_001", ...violation })), price: null };
}

const codeOf = (reason: string | undefined): string =>
  publicErrors[errorReasons.find((known) => known === reason) ?? "INTERNAL"].code;

/** A place in a body. */
type Path = readonly string[];

/** Every place in a body, objects and leaves. */
const placesIn = (value: unknown, path: Path = []): Path[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, part]) => [[...path, name], ...placesIn(part, [...path, name])])
    : [];

/** What a careless caller does to one place of a body. */
const slips: Readonly<Record<string, (holder: Json, name: string) => void>> = {
  missing: (holder, name) => Reflect.deleteProperty(holder, name),
  misspelt(holder, name) {
    holder[`${name.slice(0, -1)}x`] = holder[name];
    Reflect.deleteProperty(holder, name);
  },
  beside(holder, name) {
    holder[`${name}2`] = "1";
  },
  empty(holder, name) {
    holder[name] = "";
  },
  null(holder, name) {
    holder[name] = null;
  },
  number(holder, name) {
    holder[name] = 7.125;
  },
  text(holder, name) {
    holder[name] = "x".repeat(40);
  },
  hidden(holder, name) {
    holder[name] = "a\u200bb";
  },
  object(holder, name) {
    holder[name] = {};
  },
};

/** The body with one slip, at one of its places but the id. */
function withSlip(body: Json, { slip, place }: { slip: string; place: number }): Json {
  const broken = structuredClone(body);
  const places = placesIn(broken).filter(([name]) => name !== "externalPaymentId");
  const path = places[place % places.length] ?? [];
  const holder = path.slice(0, -1).reduce((value, name) => Object(value[name]) as Json, broken);
  if (!Array.isArray(holder)) slips[slip]?.(holder, path.at(-1) ?? "");
  return broken;
}

type Quote = (changes: object) => ReturnType<PaymentWorld["quote"]>;

/** Bodies near what is right: of every corridor with and without a quote that fits, and of both other types; some with a slip. */
function randomBodies() {
  const slip = fc.record({ slip: fc.constantFrom(...Object.keys(slips)), place: fc.nat(1_000) });
  return fc
    .tuple(orderlyBodies(), fc.option(slip, { nil: undefined, freq: 1 }))
    .map(([make, wrong]) => async (quote: Quote) => {
      const body = await make(quote);
      return wrong === undefined ? body : withSlip(body, wrong);
    });
}

function orderlyBodies() {
  const totals = fc.constantFrom(100, 1, 0.01, 0, 0.3, 250.55, 90_000_000_000, 100.001, -1);
  const quoted = fc.constantFrom("fits", "fits", "fits", "method", "country", "none", "unknown");
  const sources = fc.constantFrom("USD", "USD", "USD", "EUR", "JPY");
  const off = fc.constantFrom(0, 0, 0, 0, 0.004, 1);
  const good = payloadCases.filter(({ expectField }) => expectField === undefined);
  const sample = fc.oneof(fc.constantFrom(...good), fc.constantFrom(...payloadCases));
  const push = fc
    .record({ sample, total: totals, quoted, source: sources, off })
    .map((choice) => async (quote: Quote) => pushOf(choice, quote));
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

async function pushOf({ sample, total, quoted, source, off }: Choice, quote: Quote): Promise<Json> {
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
