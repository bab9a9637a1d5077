import { setTimeout as delay } from "node:timers/promises";
import type { Response } from "express";
import type { Answer } from "./answer";
import type { ActOrder, AnswerInstead, Fault } from "./fault-rule";
import { statusInstead } from "./fault-rule";
import type { FaultSubject, Faults } from "./faults";

/** A call of the platform. */
export interface Call extends FaultSubject {
  /** The call's own reference, where it is not that of its order. */
  key?: string;
  /** The provider has a decision to make here, so `refuse` is its own and is passed to `execute`. */
  isDecision?: boolean;
}

/** Executes a call under its rule and answers: with the truth, with something else, late or never. */
export type Serve = (res: Response, call: Call, execute: (fault: Fault) => Promise<Answer>) => Promise<void>;

/** Effects of a call besides its answer. */
export interface Aftermath {
  /** Performs or schedules spontaneous acts of a provider. */
  act(provider: string, reference: string, orders: readonly ActOrder[]): Promise<void>;
  /** Reports an order's state by callback; resolves when the platform has answered, or after a moment. */
  notify(provider: string, reference: string): Promise<void>;
}

const longestUnansweredMs = 60_000;
const oversizedBytes = 256 * 1_024;

export const makeServe =
  ({ faults, aftermath }: { faults: Faults; aftermath?: Aftermath }): Serve =>
  async (res, call, execute) => {
    const fault = faults.take(call);
    const { provider, reference = "" } = call;
    const instead = statusInstead({ ...fault, refuse: fault.refuse && call.isDecision !== true });
    const isExecuted = instead === undefined && fault.execute;
    const act = async (): Promise<void> => aftermath?.act(provider, reference, fault.acts ?? []);
    // A query shows the acts that have happened by then.
    if (call.step === "query" && fault.acts !== undefined) await act();
    const truth = isExecuted ? await execute(fault) : { status: instead ?? 503, body: { error: "fault" } };
    const named = call.key ?? call.reference;
    const answer = naming(truth, named);
    if (isExecuted && call.step !== "query" && fault.acts !== undefined) await act();
    if (fault.tell === "before") await aftermath?.notify(provider, reference);
    if (fault.latencyMs > 0) await delay(fault.latencyMs, undefined, { ref: false });
    const isLost = fault.timeoutAfterExecute || answer.isLost === true;
    send(res, answer, isLost ? { kind: "timeout" } : withReference(fault.answer ?? {}, named));
    if (fault.tell === "after") await aftermath?.notify(provider, reference);
  };

/** A refusal names the call that it is about, so that it is not mistaken for that of another. */
const naming = (answer: Answer, reference: string | undefined): Answer =>
  "error" in answer.body && reference !== undefined ? { ...answer, body: { reference, ...answer.body } } : answer;

/** A rule's body may name the call by the text `{reference}`. */
function withReference(instead: AnswerInstead, reference = ""): AnswerInstead {
  const { body } = instead;
  if (body === undefined || typeof body === "string") return instead;
  return { ...instead, body: withField(body, "reference", (text) => (text === "{reference}" ? reference : text)) };
}

function send(res: Response, truth: Answer, instead: AnswerInstead): void {
  const { kind } = instead;
  if (kind === "timeout") {
    setTimeout(() => res.destroy(), longestUnansweredMs).unref();
    return;
  }
  if (kind === "lost") {
    res.socket?.destroySoon();
    return;
  }
  if (kind === "reset") {
    res.socket?.resetAndDestroy();
    return;
  }
  const isPage = kind === "html" || kind === "empty";
  const status = instead.status ?? (isPage ? 200 : truth.status);
  res.status(status).set({ ...instead.headers });
  const page = instead.body ?? (kind === undefined ? truth.page : undefined);
  if (typeof page === "string") {
    res.send(page);
    return;
  }
  const body = instead.body === undefined ? truth.body : instead.body;
  sendBody(res, body, kind);
}

function sendBody(res: Response, body: unknown, kind: AnswerInstead["kind"]): void {
  const words = JSON.stringify(body);
  switch (kind) {
    case "html":
      res.type("html").send("<!doctype html><html><body><h1>We will be back soon</h1></body></html>");
      return;
    case "empty":
      res.end();
      return;
    case "truncated":
      res.type("json").send(words.slice(0, Math.max(1, Math.floor(words.length / 2))));
      return;
    case "oversized":
      res.json({ ...Object(body), padding: "x".repeat(oversizedBytes) });
      return;
    case "wrong-amount":
      res.json(withField(body, "amount", otherAmount));
      return;
    case "wrong-currency":
      res.json(withField(body, "currency", otherCurrency));
      return;
    case "other-reference":
      res.json(withField(body, "reference", otherReference));
      return;
    case "totals":
      res.json(withTotals(body));
      return;
    default:
      res.json(body);
  }
}

const movements = { captures: "captured", refunds: "refunded", chargebacks: "chargedBack" } as const;

/** Replaces an order's movements by totals. */
function withTotals(body: unknown): object {
  const order = { ...Object(body) } as Record<string, unknown>;
  const totals: Record<string, string> = {};
  for (const [list, name] of Object.entries(movements)) {
    const moved = order[list];
    if (!Array.isArray(moved)) continue;
    delete order[list];
    totals[name] = sumOf(moved.map((one) => String(Object(one).amount)));
  }
  return { ...order, totals };
}

/** Adds exactly, in ten-thousandths. */
function sumOf(amounts: readonly string[]): string {
  const sum = amounts.reduce((total, amount) => {
    const [whole = "0", fraction = ""] = amount.split(".");
    return total + BigInt(`${whole}${fraction.padEnd(4, "0")}`);
  }, 0n);
  const digits = String(sum).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** Adds a whole unit, so that the result is an amount of every currency. */
const otherAmount = (amount: string): string => amount.replace(/^\d+/, (whole) => String(BigInt(whole) + 1n));
const otherCurrency = (currency: string): string => (currency === "CHF" ? "SEK" : "CHF");
const otherReference = (reference: string): string => `other-${reference}`.slice(0, 255);

/** Copies a value and changes every text field of a name, at any depth. */
function withField(value: unknown, name: string, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => withField(one, name, change));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === name && typeof inner === "string" ? change(inner) : withField(inner, name, change),
  ]);
  return Object.fromEntries(entries);
}
