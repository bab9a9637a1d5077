import { acquirerTables } from "../../services/payment/adapters/acquirer/collections";
import type { AnswerRow } from "../../services/payment/adapters/answers";
import { debitTables } from "../../services/payment/adapters/direct-debit/collections";
import { railTable } from "../../services/payment/adapters/rail/payouts";
import type { Payment } from "../../services/payment/domain/payment";
import { builtAt, newPayment } from "./payment-builder";

/** The platform's peer: a provider of the sandbox, and one of its calls. */
export type Adapter = Rail | "acquirer" | "debits" | "screening";

export const rails = ["pix", "dimo", "bank", "upi", "wallet", "msn", "card"] as const;
export type Rail = (typeof rails)[number];
export const isRail = (adapter: Adapter): boolean => rails.some((rail) => rail === adapter);

/** The call that fails, and the way in which a payment reaches it. */
export interface Target {
  type: "PUSH" | "PULL" | "PULLPUSH";
  adapter: Adapter;
  step: string;
  /** The way in which the flow reaches that call. */
  way: "plain" | "at once" | "by command" | "in part" | "refused by screening" | "rejected after release";
}

const target = (type: Target["type"], adapter: Adapter, step: string, way: Target["way"] = "plain"): Target => ({
  type,
  adapter,
  step,
  way,
});

const targets: readonly Target[] = [
  ...rails.flatMap((rail) => [
    // This rail has no prepare step.
    ...(rail === "dimo" ? [] : [target("PUSH", rail, "prepare")]),
    target("PUSH", rail, "release"),
    target("PUSH", rail, "cancel", "refused by screening"),
  ]),
  target("PUSH", "screening", "screen"),
  target("PULL", "acquirer", "authorize"),
  target("PULL", "acquirer", "capture", "at once"),
  target("PULL", "acquirer", "capture", "by command"),
  target("PULL", "acquirer", "void", "by command"),
  target("PULL", "acquirer", "refund", "by command"),
  target("PULL", "acquirer", "refund", "in part"),
  target("PULL", "debits", "debit"),
  target("PULL", "debits", "refund", "by command"),
  target("PULLPUSH", "acquirer", "authorize"),
  target("PULLPUSH", "acquirer", "capture"),
  target("PULLPUSH", "acquirer", "void", "refused by screening"),
  target("PULLPUSH", "acquirer", "refund", "rejected after release"),
  target("PULLPUSH", "debits", "debit"),
  target("PULLPUSH", "debits", "refund", "rejected after release"),
  target("PULLPUSH", "pix", "prepare"),
  target("PULLPUSH", "pix", "release"),
  target("PULLPUSH", "pix", "cancel", "refused by screening"),
  target("PULLPUSH", "screening", "screen"),
];

/** A payment that every table can be made for. */
const sample: Payment = {
  ...newPayment("PULLPUSH").next,
  refunds: [
    {
      id: "refund",
      externalId: undefined,
      minor: 1n,
      askedMinor: undefined,
      reason: undefined,
      status: "PENDING",
      requestedAt: builtAt,
      settledAt: undefined,
    },
  ],
};

/** The rows of a call's table that a provider's code selects; there is one answer for each row. */
export function toldRowsOf({ adapter, step }: Pick<Target, "adapter" | "step">): readonly ToldRow[] {
  const { payout } = sample;
  const tables: Readonly<Record<string, readonly AnswerRow[] | undefined>> = {
    "acquirer authorize": acquirerTables.authorize(sample),
    "acquirer capture": acquirerTables.capture(sample),
    "acquirer void": acquirerTables.void(sample),
    "acquirer refund": acquirerTables.refund(sample),
    "debits debit": debitTables.debit(sample),
    "debits refund": debitTables.refund(sample),
    ...(payout === undefined
      ? {}
      : {
          "rail prepare": railTable(adapter, payout, "order"),
          "rail release": railTable(adapter, payout, adapter === "dimo" ? "order" : "act"),
          "rail cancel": railTable(adapter, payout, "act"),
        }),
  };
  const rows = tables[`${isRail(adapter) ? "rail" : adapter} ${step}`] ?? [];
  return rows.flatMap(({ status: [status = 0], told }) => {
    const [code] = told?.codes ?? [];
    if (told === undefined || code === undefined) return [];
    // The sandbox puts in the call's own reference.
    const body = {
      ...told.beside,
      ...("reference" in Object(told.beside) && { reference: "{reference}" }),
      error: code,
    };
    return [{ status, body, isDone: told.isDone === true }];
  });
}

interface ToldRow {
  status: number;
  body: object;
  isDone: boolean;
}

const rowsByTarget = new Map(targets.map((one) => [one, toldRowsOf(one)]));
const mostRows = Math.max(...[...rowsByTarget.values()].map(({ length }) => length));
/** Answers that have a row in the adapter's own table, by the row's position. */
const rowAnswers = Array.from({ length: mostRows }, (_, row) => `row ${row}` as const);
type RowAnswer = (typeof rowAnswers)[number];

/** The row of the adapter's own table for the case; undefined for other answers. */
export const rowOf = (one: Pick<HostileCase, "target" | "answer">): ToldRow | undefined =>
  one.answer.startsWith("row ") ? rowsByTarget.get(one.target)?.[Number(one.answer.slice(4))] : undefined;

/** The answer to the call, in place of the true one. */
export const answerClasses = {
  ok: {},
  "ok, other amount": {},
  "ok, other currency": {},
  "told other amount": { answer: { kind: "wrong-amount" } },
  "told other currency": { answer: { kind: "wrong-currency" } },
  "told other reference": { answer: { kind: "other-reference" } },
  "200 empty": { answer: { kind: "empty" } },
  "400": { answer: { status: 400, body: { error: "processing_error" } } },
  "401": { answer: { status: 401, body: { error: "unauthorized" } } },
  "403": { answer: { status: 403, body: { error: "forbidden_address" } } },
  "404 own": { answer: { status: 404, body: { error: "not_found", reference: "{reference}" } } },
  "404 foreign": { answer: { status: 404, body: "no such route" } },
  "409": { answer: { status: 409, body: { error: "key_in_use" } } },
  "422 listed": { refuse: true },
  "422 unlisted": { answer: { status: 422, body: { error: "processing_error" } } },
  "425": { answer: { status: 425, body: { error: "too_early" } } },
  "429": { answer: { status: 429, body: { error: "slow_down" }, headers: { "retry-after": "1" } } },
  "500": { answer: { status: 500, body: { error: "internal" } } },
  "503": { answer: { status: 503, body: {} } },
  html: { answer: { kind: "html" } },
  truncated: { answer: { kind: "truncated" } },
  oversized: { answer: { kind: "oversized" } },
  timeout: { answer: { kind: "timeout" } },
  reset: { answer: { kind: "reset" } },
} as const satisfies Record<string, object>;

export type AnswerClass = keyof typeof answerClasses | RowAnswer;
const questions = ["found", "absent", "unknown", "other amount", "contradicting"] as const;
const callbackClasses = [
  "none",
  "before the answer",
  "after",
  "doubled",
  "other content",
  "out of order",
  "unknown reference",
] as const;
const crashes = ["none", ...[0, 1, 2, 3, 4, 5].flatMap((save) => [`before ${save}`, `after ${save}`])] as const;

export interface HostileCase {
  target: Target;
  answer: AnswerClass;
  isExecuted: boolean;
  question: (typeof questions)[number];
  callback: (typeof callbackClasses)[number];
  /** `before 2`: the process loses its work right before the second save after the first. */
  crash: (typeof crashes)[number];
}

/** Answers that state the outcome, so that no query is needed. */
const plainWords: readonly AnswerClass[] = ["ok", "ok, other amount", "ok, other currency", "422 listed"];
const decisions = ["prepare", "authorize", "debit"];

/** True for a possible case: a provider that falsely claims an effect is a liar that only its statement exposes. */
function isPossible({ target, answer, isExecuted, callback }: HostileCase): boolean {
  const { adapter, step } = target;
  if (answer.startsWith("ok") || answer.startsWith("told other a") || answer.startsWith("told other c")) {
    if (!isExecuted) return false;
  }
  // A provider's own refusal is true: it has not acted.
  if (answer.startsWith("row ")) {
    const row = rowOf({ target, answer });
    if (row === undefined || row.isDone !== isExecuted) return false;
  }
  const movesNothing = ["prepare", "cancel", "void", "screen"].includes(step);
  if (answer === "ok, other amount" && movesNothing) return false;
  if (answer === "ok, other currency" && (movesNothing || step === "authorize")) return false;
  if (answer === "422 listed") return decisions.includes(step) && isExecuted;
  // Screening moves no money, and reports only its reviews.
  if (adapter === "screening") return callback === "none" || callback === "after" || callback === "doubled";
  return true;
}

/** Answers that no table covers: the provider is queried and states the outcome. */
const meaningless: readonly string[] = [
  ..."200 empty|400|401|403|404 foreign|409|422 unlisted|425|429|500|503|html|truncated|oversized|timeout|reset".split(
    "|",
  ),
];
const truthful: readonly string[] = ["none", "before the answer", "after", "doubled"];

/**
 * Cases with the same key have the same end, that of a plain answer: an effect that a query finds counts as done, whatever the
 * answer was. Undefined for all others.
 */
export function sameEndOf({ target, answer, isExecuted, question, callback }: HostileCase): string | undefined {
  const { type, adapter, step, way } = target;
  const isTrue = isExecuted && question === "found" && truthful.includes(callback);
  return isTrue && (answer === "ok" || meaningless.includes(answer)) ? [type, adapter, step, way].join(" ") : undefined;
}

/** No query follows a plain answer, unless the answer was lost. */
const isAsked = ({ answer, crash, question }: HostileCase): boolean =>
  question === "found" || crash !== "none" || !plainWords.includes(answer);

export const nameOf = ({ target: { type, adapter, step, way }, ...one }: HostileCase): string =>
  [type, adapter, step, way, one.answer, one.isExecuted ? "executed" : "not executed"]
    .concat([`asked: ${one.question}`, `callback: ${one.callback}`, `crash: ${one.crash}`])
    .join(" | ");

const answers = [...(Object.keys(answerClasses) as AnswerClass[]), ...rowAnswers];
/** Number of values of each axis, in the order in which they form the number of a case. */
const sizes = [targets.length, answers.length, 2, questions.length, callbackClasses.length, crashes.length] as const;

/** The position of a number on each axis. */
function placesOf(number: number): number[] {
  let rest = number;
  return sizes.map((size) => {
    const place = rest % size;
    rest = (rest - place) / size;
    return place;
  });
}

/** The case with a number; undefined for an impossible one. Two cases that differ only in data have one number. */
function caseOf(number: number): HostileCase | undefined {
  const [t = 0, a = 0, e = 0, q = 0, c = 0, k = 0] = placesOf(number);
  const [target, answer, question] = [targets[t], answers[a], questions[q]];
  const [callback, crash] = [callbackClasses[c], crashes[k]];
  if (target === undefined || answer === undefined || question === undefined) return undefined;
  if (callback === undefined || crash === undefined) return undefined;
  const one: HostileCase = { target, answer, isExecuted: e === 0, question, callback, crash };
  return isPossible(one) && isAsked(one) ? one : undefined;
}

/** Deterministic in number and seed, and otherwise as good as random. */
function rankOf(number: number, seed: number): number {
  let hash = Math.imul(number ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Marks every pair of positions on two axes in a number, its target with its answer, executed or not, and the same where a plain
 * answer determines the end.
 */
function makeCoverage(): { adds(number: number): boolean } {
  const pairs = new Uint8Array(sizes.length * sizes.length * 64 * 64);
  const calls = new Uint8Array(sizes[0] * sizes[1] * sizes[2]);
  const known = new Uint8Array(calls.length);
  return {
    /** True when some of it is new. */
    adds(number) {
      const places = placesOf(number);
      const call = number % calls.length;
      let isNew = calls[call] === 0;
      calls[call] = 1;
      const one = caseOf(number);
      if (one !== undefined && sameEndOf(one) !== undefined) {
        isNew ||= known[call] === 0;
        known[call] = 1;
      }
      for (const [i, a] of places.entries()) {
        for (let j = i + 1; j < places.length; j += 1) {
          const pair = ((i * sizes.length + j) * 64 + a) * 64 + (places[j] ?? 0);
          isNew ||= pairs[pair] === 0;
          pairs[pair] = 1;
        }
      }
      return isNew;
    },
  };
}

/** The case at a fraction of all numbers, from 0 to below 1, or the next possible one. */
export function caseAt(share: number): HostileCase {
  const all = sizes.reduce((product, size) => product * size, 1);
  for (let number = Math.floor(share * all); ; number = (number + 1) % all) {
    const found = caseOf(number);
    if (found !== undefined) return found;
  }
}

/** Every distinct element of a case, once. */
export function everyPair(placeOf: (one: HostileCase) => string): Iterable<string> {
  return new Set(
    numbersOf()
      .flatMap((number) => caseOf(number) ?? [])
      .map(placeOf),
  );
}

/** Number of cases. */
export const countCases = (): number => numbersOf().length;

let known: readonly number[] | undefined;

/** Numbers of the possible cases. */
function numbersOf(): readonly number[] {
  const all = sizes.reduce((product, size) => product * size, 1);
  known ??= Array.from({ length: all }, (_, number) => number).filter((number) => caseOf(number) !== undefined);
  return known;
}

/** As many without a crash as with one, where possible: a crash costs all payments of its group a lease. */
function alternating(numbers: readonly number[]): number[] {
  // The crash is the last axis; its first position means none.
  const withoutCrash = sizes.slice(0, -1).reduce((product, size) => product * size, 1);
  const calm = numbers.filter((number) => number < withoutCrash);
  const struck = numbers.filter((number) => number >= withoutCrash);
  return struck.flatMap((number, index) => [number, calm[index] ?? []].flat()).concat(calm.slice(struck.length));
}

/** That many cases, first those that cover every pair of values of two axes; the seed chooses the rest. */
export function chooseCases(count: number, seed: number): HostileCase[] {
  // A rank has 32 bits and a number fewer than 21: both fit into one exact number, by which they are sorted.
  const room = 2 ** 21;
  const ranked = Float64Array.from(numbersOf(), (number) => rankOf(number, seed) * room + number).sort();
  const coverage = makeCoverage();
  // The plain ends, for comparison: position 0 on every axis is the correct behaviour.
  const plain = [...targets.keys()].map((place) => place + targets.length * answers.indexOf("ok"));
  const [chosen, left]: [number[], number[]] = [plain, []];
  for (const number of chosen) coverage.adds(number);
  for (const value of ranked) {
    const number = value % room;
    if (plain.includes(number)) continue;
    (coverage.adds(number) ? chosen : left).push(number);
  }
  return [...chosen, ...alternating(left)].slice(0, count).flatMap((number) => caseOf(number) ?? []);
}
