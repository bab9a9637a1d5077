import { hash } from "node:crypto";
import { textOf } from "../../shared/crypto/callback-signature";
import type { ProviderAnswer } from "../../shared/http/provider-call";
import { withoutCardNumbers } from "../../shared/kernel/card-number";
import { parseInstant } from "../../shared/kernel/clock";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";
import { currencyDigits, exactMinor, type Money, money, parseDecimal } from "../../shared/kernel/money";
import { readReasonCode } from "../../shared/kernel/reason-codes";
import { type Evidence, type Fact, named, type Reason } from "../domain/fact";
import type { Outcome, Refusals } from "../ports";

/** One row of an adapter's table: the answers that it matches, and what they mean. */
export interface AnswerRow {
  status: readonly number[];
  /** The provider's codes by which the row is recognised, where a code decides. Tests build their answers from these. */
  told?: ToldBy;
  /** Returns undefined when the body is not one that this row knows. */
  read(body: JsonObject, evidence: Evidence): Outcome | undefined;
}

export interface ToldBy {
  codes: readonly string[];
  /** Further fields that the body must have besides the code. */
  beside?: JsonObject;
  /** True where the answer says that the step was done. */
  isDone?: boolean;
}

/**
 * Reads an answer by a table; the first row that matches both status and body decides. An answer that no row matches is unknown: the step
 * may or may not have been executed.
 */
export function readAnswer(answer: ProviderAnswer | undefined, table: readonly AnswerRow[]): Outcome {
  if (answer === undefined) return { kind: "unknown" };
  const evidence = evidenceOf(answer.raw);
  for (const { status, read } of table) {
    const outcome = status.includes(answer.status) ? read(answer.body, evidence) : undefined;
    if (outcome !== undefined) return outcome;
  }
  return { kind: "unknown", evidence };
}

/** Returns the part of a provider's text that is kept, without card numbers, and the hash of all of it. */
export function evidenceOf(raw: string): Evidence {
  return { raw: withoutCardNumbers(raw).slice(0, maxKept), hash: hash("sha256", raw) };
}
const maxKept = 4_096;

/**
 * Matches a provider's own "not found". Such an answer names the call that it is about: a 404 from a proxy in between proves nothing, and
 * neither does one that was meant for another call.
 */
export const notFoundRow = (reference: string): AnswerRow => ({
  status: [404],
  read: (body) =>
    textOf(body, "error") === "not_found" && textOf(body, "reference") === reference ? { kind: "absent" } : undefined,
});

/**
 * Matches refusals by the provider's own codes, each with the status that it comes with. A refusal names the call that it is about: one
 * that was misrouted says nothing about our call.
 */
export const refusalRow = (
  status: number,
  reference: string,
  codes: Refusals,
  fits = (_body: JsonObject) => true,
  beside: JsonObject = {},
): AnswerRow => ({
  status: [status],
  told: { codes: Object.keys(codes), beside: { ...beside, reference } },
  read(body, evidence) {
    const code = textOf(body, "error") ?? "";
    return textOf(body, "reference") === reference && fits(body)
      ? refusedBy(codes, code, reasonOf(body), evidence)
      : undefined;
  },
});

/**
 * Returns the refusal for a code of a closed list; undefined for any other code. The provider's own reason takes precedence where it
 * gives one.
 */
export function refusedBy(
  codes: Refusals,
  code: string,
  told: Reason | undefined,
  evidence: Evidence | undefined,
): Extract<Outcome, { kind: "refused" }> | undefined {
  const standsFor = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (standsFor === undefined) return undefined;
  return { kind: "refused", refusal: { code, reason: named(told, standsFor), evidence } };
}

/** Wraps facts as an outcome; undefined when there are none. */
export const factsOutcome = (facts: readonly Fact[] | undefined): Outcome | undefined => {
  const [first, ...others] = facts ?? [];
  return first === undefined ? undefined : { kind: "facts", facts: [first, ...others] };
};

/** Returns the reason that a provider gives. */
export function reasonOf(body: JsonObject): Reason | undefined {
  const code = readReasonCode(textOf(body, "reasonCode"));
  const text = wordsOf(body, "reason") ?? wordsOf(body, "message");
  return code === undefined && text === undefined ? undefined : { code, text };
}

/** Reads a text in a provider's own words, without card numbers. */
export function wordsOf(body: JsonObject, name: string): string | undefined {
  const text = textOf(body, name);
  return text === undefined ? undefined : withoutCardNumbers(text);
}

/**
 * The largest payment in a currency with four decimals. A larger number is no valid amount, and sums of such numbers would overflow the
 * ledger.
 */
const mostMinor = 10n ** 16n;

/**
 * Reads an amount in decimal text with its currency; undefined unless it is exact, not negative, not above the largest payment, and in
 * the currency.
 */
export function moneyIn(body: JsonObject, currency: string, field = "amount"): Money | undefined {
  const decimal = parseDecimal(textOf(body, field) ?? "");
  const digits = currencyDigits(currency);
  if (decimal === undefined || digits === undefined || body["currency"] !== currency) return undefined;
  const minor = exactMinor(decimal, digits);
  return minor === undefined || minor < 0n || minor > mostMinor ? undefined : money(minor, currency);
}

/**
 * Distinguishes two movements of one list that have neither an id nor a key of their own: the second one is identified by its position. A
 * list keeps its order between reports, and grows only at its end.
 */
export function toldApart<T extends Fact>(facts: readonly T[]): readonly T[] {
  const seen = new Map<string, number>();
  return facts.map((fact) => {
    if (fact.movementId !== undefined) return fact;
    const key = `${fact.kind} ${fact.stepReference ?? ""}`;
    const place = (seen.get(key) ?? 0) + 1;
    seen.set(key, place);
    return place === 1 ? fact : { ...fact, stepReference: `${fact.stepReference ?? fact.reference}#${place}` };
  });
}

/** Reads a provider's time; undefined when it is not a valid time. */
export function timeOf(body: JsonObject, ...fields: readonly string[]): Date | undefined {
  const text = fields.map((field) => textOf(body, field)).find((found) => found !== undefined);
  return parseInstant(text ?? "");
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * Returns the movements of a list; undefined when the field exists and is not such a list. Entries whose amount is zero moved nothing and
 * are dropped.
 */
export function listOf(body: JsonObject, field: string): readonly JsonObject[] | undefined {
  const found = body[field];
  if (found === undefined) return [];
  return Array.isArray(found) && found.every(isObject) ? found.filter((one) => !isOfNothing(one)) : undefined;
}

const isOfNothing = (body: JsonObject): boolean => parseDecimal(textOf(body, "amount") ?? "")?.digits === 0n;
