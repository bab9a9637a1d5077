import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { payloadCases } from "./corridor-payloads";
import { cardPullBody, cardSource, pullPushBody } from "./payment-bodies";

type Json = Record<string, unknown>;

/** A place in a body. */
type Path = readonly string[];

/** Every place in a body, objects and leaves. */
const placesIn = (value: unknown, path: Path = []): Path[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, part]) => [[...path, name], ...placesIn(part, [...path, name])])
    : [];

/** A careless caller's change of one place of a body. */
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

/** Returns the body with one mistake, at any place except the id. */
function withSlip(body: Json, { slip, place }: { slip: string; place: number }): Json {
  const broken = structuredClone(body);
  const places = placesIn(broken).filter(([name]) => name !== "externalPaymentId");
  const path = places[place % places.length] ?? [];
  const holder = path.slice(0, -1).reduce((value, name) => Object(value[name]) as Json, broken);
  if (!Array.isArray(holder)) slips[slip]?.(holder, path.at(-1) ?? "");
  return broken;
}

/** Material for a body. */
export interface QuoteDesk {
  quote(changes: object): Promise<{ fxId: string; conversionRate: number }>;
  /** A quote that a payment has used; undefined before there is one. */
  usedQuote(): string | undefined;
}

/** Makes nearly valid bodies: of every corridor with and without a matching quote, and of both other types; some with a mistake. */
export function randomPayments() {
  const slip = fc.record({ slip: fc.constantFrom(...Object.keys(slips)), place: fc.nat(1_000) });
  return fc
    .tuple(orderlyBodies(), fc.option(slip, { nil: undefined, freq: 1 }))
    .map(([make, wrong]) => async (desk: QuoteDesk) => {
      const body = await make(desk);
      return wrong === undefined ? body : withSlip(body, wrong);
    });
}

function orderlyBodies() {
  const totals = fc.constantFrom(100, 1, 0.01, 0, 0.3, 250.55, 90_000_000_000, 100.001, -1);
  const quoted = fc.constantFrom("fits", "fits", "fits", "method", "country", "none", "unknown", "used");
  const sources = fc.constantFrom("USD", "USD", "USD", "EUR", "JPY");
  const off = fc.constantFrom(0, 0, 0, 0, 0.004, 1);
  const good = payloadCases.filter(({ expectField }) => expectField === undefined);
  const sample = fc.oneof(fc.constantFrom(...good), fc.constantFrom(...payloadCases));
  const push = fc
    .record({ sample, total: totals, quoted, source: sources, off })
    .map((choice) => async (desk: QuoteDesk) => pushOf(choice, desk));
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

async function pushOf({ sample, total, quoted, source, off }: Choice, desk: QuoteDesk): Promise<Json> {
  const recipient = Object(sample.payload["recipient"]) as Json;
  const { type, countryCode } = Object(recipient["paymentMethod"]) as { type?: string; countryCode?: string };
  const currency = String(Object(sample.payload["recipientAmount"])["currency"]);
  const fitting = type === "WALLET" || type === "CARD" ? type : "BANK_ACCOUNT";
  const paymentMethod = quoted === "method" ? (fitting === "CARD" ? "WALLET" : "CARD") : fitting;
  const { fxId, conversionRate } = await desk
    .quote({
      sourceCurrency: source,
      destinationCurrency: currency,
      paymentMethod,
      // Any country except the destination.
      ...(quoted === "country" ? { destinationCountry: countryCode === "BRA" ? "MEX" : "BRA" } : {}),
    })
    .catch(() => ({ fxId: randomUUID(), conversionRate: 1 }));
  const named = { unknown: randomUUID(), used: desk.usedQuote() ?? fxId }[quoted] ?? fxId;
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
