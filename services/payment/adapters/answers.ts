import { hash } from "node:crypto";
import { textOf } from "../../shared/crypto/callback-signature";
import type { ProviderAnswer } from "../../shared/http/provider-call";
import { parseInstant } from "../../shared/kernel/clock";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";
import { currencyDigits, exactMinor, type Money, money, parseDecimal } from "../../shared/kernel/money";
import { readReasonCode } from "../../shared/kernel/reason-codes";
import { type Evidence, type Fact, named, type Reason } from "../domain/fact";
import type { Outcome, Refusals } from "../ports";

/** One row of an adapter's table: which answers it knows, and what they mean. */
export interface AnswerRow {
  status: readonly number[];
  /** The codes of the provider by which the row is recognised, where a code decides. Tests stage their answers with these. */
  told?: ToldBy;
  /** Undefined when the body is not what this row knows. */
  read(body: JsonObject, evidence: Evidence): Outcome | undefined;
}

export interface ToldBy {
  codes: readonly string[];
  /** What the body must say beside the code. */
  beside?: JsonObject;
  /** True where the answer says that the step has been done. */
  isDone?: boolean;
}

/**
 * Reads an answer by a table; the first row that knows status and body decides. What no row knows is unknown: the step may or may
 * not have been executed.
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

/** What a provider wrote, as much of it as is kept, and the hash of all of it. */
export function evidenceOf(raw: string): Evidence {
  return { raw: raw.slice(0, maxKept), hash: hash("sha256", raw) };
}
const maxKept = 4_096;

/**
 * The row of a provider's own "not found". It names the call that it is about: a 404 of a proxy between us and it says nothing, and
 * neither does one that was meant for another call.
 */
export const notFoundRow = (reference: string): AnswerRow => ({
  status: [404],
  read: (body) =>
    textOf(body, "error") === "not_found" && textOf(body, "reference") === reference ? { kind: "absent" } : undefined,
});

/**
 * The row of refusals by the provider's own codes, each with the status that it comes with. A refusal names the call that it is about: one
 * that went astray on the way says nothing of ours.
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

/** A refusal by a code of a closed list; undefined for any other code. The provider's own reason counts, where it gives one. */
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

/** Facts, if there are any. */
export const factsOutcome = (facts: readonly Fact[] | undefined): Outcome | undefined => {
  const [first, ...others] = facts ?? [];
  return first === undefined ? undefined : { kind: "facts", facts: [first, ...others] };
};

/** The reason that a provider gives. */
export function reasonOf(body: JsonObject): Reason | undefined {
  const code = readReasonCode(textOf(body, "reasonCode"));
  const text = textOf(body, "reason") ?? textOf(body, "message");
  return code === undefined && text === undefined ? undefined : { code, text };
}

/** The most that a payment of a currency with four decimals can be: more than this is no amount, and sums of it would end the ledger. */
const mostMinor = 10n ** 16n;

/** An amount in decimal text with its currency; undefined unless it is exact, not negative, of a size that exists, and in the currency. */
export function moneyIn(body: JsonObject, currency: string, field = "amount"): Money | undefined {
  const decimal = parseDecimal(textOf(body, field) ?? "");
  const digits = currencyDigits(currency);
  if (decimal === undefined || digits === undefined || body["currency"] !== currency) return undefined;
  const minor = exactMinor(decimal, digits);
  return minor === undefined || minor < 0n || minor > mostMinor ? undefined : money(minor, currency);
}

/**
 * Two movements of one list that have neither an id nor a key of their own are two all the same: the second one is known by its place.
 * A list is reported as it was before, and grows at its end.
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

/** A provider's time; undefined when it is none. */
export function timeOf(body: JsonObject, ...fields: readonly string[]): Date | undefined {
  const text = fields.map((field) => textOf(body, field)).find((found) => found !== undefined);
  return parseInstant(text ?? "");
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The movements of a list; undefined when the field is there and is no such list. One of nothing has moved nothing. */
export function listOf(body: JsonObject, field: string): readonly JsonObject[] | undefined {
  const found = body[field];
  if (found === undefined) return [];
  return Array.isArray(found) && found.every(isObject) ? found.filter((one) => !isOfNothing(one)) : undefined;
}

const isOfNothing = (body: JsonObject): boolean => parseDecimal(textOf(body, "amount") ?? "")?.digits === 0n;
