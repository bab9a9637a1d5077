import { type Clock, monotonicMs, plusMs, systemClock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { currentCall, runInCall } from "../../shared/process/call-context";
import { applyFact } from "../domain/apply-fact";
import { timeOut } from "../domain/commands";
import { type Evidence, type Fact, named } from "../domain/fact";
import { mayRelease, postpone } from "../domain/flow";
import { compliance, providerOf } from "../domain/legs";
import { hasNews } from "../domain/news";
import { begin, type Change, isIdle, type Payment, unchanged } from "../domain/payment";
import { refusePayout } from "../domain/payout-facts";
import { refusePull } from "../domain/pull-facts";
import { applyScreening, type ScreeningReport } from "../domain/screening";
import { awaited, isUndone, roleOf, type Step, stepLeaseMs, turnBudgetMs } from "../domain/steps";
import { together } from "../domain/together";
import type { Outcome, Provider, Providers, Screening } from "../ports";
import type { Attempt } from "../store/fact-record";
import type { PaymentStore } from "../store/payment-store";
import { factsOf, saveReported } from "./save-reported";

export interface AdvancePaymentDeps {
  payments: Pick<PaymentStore, "find" | "save" | "take">;
  providers: Providers;
  screening: Screening;
  clock: Clock;
}

/**
 * How a step is approached. `send`: by the process that has just recorded the step, so the call cannot have been made yet. `ask`: by
 * every other process; the provider is asked what became of the step before anything is sent.
 */
export type Approach = "send" | "ask";

export type AdvancePayment = (payment: Payment, approach: Approach) => Promise<void>;

/** The most turns in a row. The longest flow has eight calls to providers, so more turns than this mean a loop. */
const maxTurns = 16;

/** What one turn found out. */
interface Consultation {
  step: Step;
  provider: string;
  finalityWindowMs: number;
  /** The outcomes of the question and of the call; the last one says what became of the step. */
  outcomes: readonly Outcome[];
  screening: ScreeningReport | undefined;
  approach: Approach;
  /** True when the step was refused after it was sent again, and its provider says that it has not done it; this is not trusted yet. */
  isDenied: boolean;
  tookMs: number;
}

/** A step that leaves nothing behind is recorded together with the next step only if it took no longer than this, milliseconds. */
const quickMs = 1_000;

/**
 * Carries a payment on until it is at rest or must wait. Each turn calls the provider under the step's key, decides, and saves. A crash
 * between any two of these leaves a payment that is due again, and a provider that knows our key. A step that leaves nothing behind is
 * not saved by itself: after a crash it is done again.
 */
export const makeAdvancePayment =
  (deps: AdvancePaymentDeps): AdvancePayment =>
  async (payment, approach) => {
    let current = payment;
    let unsaved = unchanged(current);
    let attempts: Attempt[] = [];
    let next = approach;
    for (let turn = 0; turn < maxTurns && !isIdle(unsaved.next); turn += 1) {
      if (attempts.length === 0) {
        const owned = await own(deps, current, next);
        if (owned === undefined) return;
        ({ payment: current, approach: next } = owned);
        unsaved = unchanged(current);
      }
      const before = unsaved.next;
      const step = before.execution.step ?? awaited[before.state];
      const consulted = step === undefined ? undefined : await consult(deps, before, step, next, approach);
      const at = deps.clock.now();
      const decided = consulted === undefined ? timeOut(unchanged(before), at) : decide(before, consulted, at);
      if (decided === undefined) return;
      const change = together(unsaved, decided);
      if (consulted !== undefined) attempts.push(attemptOf(consulted, at));
      next = "send";
      if (consulted !== undefined && leftNothing(deps, consulted, change.next)) {
        unsaved = change;
        continue;
      }
      const result = await deps.payments.save(current, change, attempts);
      if (result.kind === "stale") return keepFacts(deps, current, consulted, attempts);
      if (result.kind !== "saved" || !isBegun(result.payment)) return;
      current = result.payment;
      unsaved = unchanged(current);
      attempts = [];
    }
  };

/** True when a call is recorded that has not been made yet. */
const isBegun = ({ execution: { step, attempts } }: Payment): boolean => step !== undefined && attempts === 0;

/** The part of a lease that is reserved for saving. */
const savingMs = stepLeaseMs - turnBudgetMs;

/**
 * Makes sure that the payment belongs to this process. A payment with a step may be sent only while it does. A process that waited so
 * long that a turn might not end within the lease takes the payment anew, which fails when another process has taken or changed it since.
 * After the lease has ended, the provider is asked before anything is sent.
 */
async function own(
  { payments, clock }: Pick<AdvancePaymentDeps, "payments" | "clock">,
  payment: Payment,
  approach: Approach,
): Promise<{ payment: Payment; approach: Approach } | undefined> {
  const { step, dueAt } = payment.execution;
  const at = clock.now();
  if (step === undefined || dueAt === undefined || plusMs(at, turnBudgetMs) <= dueAt) return { payment, approach };
  const until = takenUntil(at);
  const taken = await payments.take(payment, until);
  return taken && { payment: taken, approach: dueAt <= at ? "ask" : approach };
}

/** Keeps what was reported although another process has changed the payment meanwhile and is advancing it. */
async function keepFacts(
  deps: AdvancePaymentDeps,
  asked: Payment,
  consulted: Consultation | undefined,
  attempts: readonly Attempt[],
): Promise<void> {
  const facts = consulted?.outcomes.flatMap(factsOf) ?? [];
  if (facts.length > 0) await saveReported(deps, asked, facts, attempts);
}

/** True when the payment was prepared in a way that leaves nothing behind, and is screened next, which may be asked twice. */
function leftNothing(
  { providers }: Pick<AdvancePaymentDeps, "providers">,
  { step, provider, tookMs }: Consultation,
  next: Payment,
): boolean {
  const isNext = step === "prepare" && next.execution.step === "screen" && isBegun(next);
  return isNext && tookMs < quickMs && providers.get(provider)?.manifest.keepsPrepared === false;
}

/** Applies every fact, and then what became of the step. An answer that changes nothing leaves the step as open as no answer would. */
function decide(payment: Payment, consulted: Consultation, at: Date): Change {
  const told = consulted.outcomes
    .flatMap(factsOf)
    .reduce((change, fact) => applyFact(change, fact, at), unchanged(payment));
  if (hasMoved(payment, told.next)) return told;
  const { screening, step, finalityWindowMs, approach, isDenied } = consulted;
  const last = consulted.outcomes.at(-1);
  const refused = last?.kind === "refused" ? refuse(told, step, last, at) : undefined;
  const decided = screening === undefined ? refused : applyScreening(told, screening, at);
  if (decided !== undefined && hasNews(payment, decided)) return decided;
  const { sentAt } = payment.execution;
  const isFinal = sentAt !== undefined && plusMs(sentAt, finalityWindowMs) <= at;
  if (last?.kind === "absent" && step === "release" && isFinal) return begin(told, "cancel", at);
  if (step === "release" && last !== undefined && isUndone(step, wordOf(last)) && !mayRelease(told.next)) {
    return begin(told, "cancel", at);
  }
  return timeOut(told, at) ?? postpone(told, at, { isSent: approach === "send", isDenied });
}

/** True when the flow has moved; after a fact that was only kept, the step still has to be asked about. */
const hasMoved = (before: Payment, next: Payment): boolean =>
  next.state !== before.state ||
  next.execution.step !== before.execution.step ||
  next.execution.sentAt !== before.execution.sentAt;

const refuse = (change: Change, step: Step, { refusal }: Extract<Outcome, { kind: "refused" }>, at: Date) =>
  roleOf[step] === "pull" ? refusePull(change, refusal, at) : refusePayout(change, refusal, at);

/** Sends the recorded step, or asks first and sends only what the provider has certainly not done. */
async function consult(
  { providers, screening, clock }: Pick<AdvancePaymentDeps, "providers" | "screening" | "clock">,
  payment: Payment,
  step: Step,
  approach: Approach,
  begunWith: Approach,
): Promise<Consultation> {
  const startedAtMs = monotonicMs();
  const took = (): number => Math.round(monotonicMs() - startedAtMs);
  // Nothing is sent once the turn's time is over: another process may have taken the payment by then.
  const deadlineMs = systemClock.now().getTime() + budgetOf(payment, clock.now());
  return runInCall({ requestId: payment.id, ...currentCall(), deadlineMs }, async () => {
    if (roleOf[step] === "screening") {
      const report = await screening(payment, begunWith === "send" && payment.execution.attempts === 0);
      const facts = { step, provider: compliance, finalityWindowMs: 0, outcomes: [], screening: report };
      return { ...facts, approach: "send", isDenied: false, tookMs: took() };
    }
    const name = providerOf(payment, step) ?? "";
    const provider = providers.get(name);
    if (provider === undefined) throw new DomainError("INTERNAL", `no provider ${name}`);
    const answer = await askOrSend(provider, payment, step, approach);
    const { finalityWindowMs } = provider.manifest;
    return { step, provider: name, finalityWindowMs, screening: undefined, ...answer, tookMs: took() };
  });
}

/** Returns the time left for a turn: of its own limit, and of the lease when a step may be sent. */
function budgetOf({ execution: { step, dueAt } }: Payment, at: Date): number {
  if (step === undefined || dueAt === undefined) return turnBudgetMs;
  return Math.min(turnBudgetMs, dueAt.getTime() - at.getTime() - savingMs);
}

async function askOrSend(
  provider: Provider,
  payment: Payment,
  step: Step,
  approach: Approach,
): Promise<Pick<Consultation, "outcomes" | "approach" | "isDenied">> {
  const believed = { isDenied: false };
  if (approach === "send") return { ...believed, outcomes: [await provider.perform(payment, step)], approach };
  const found = await provider.ask(payment, step);
  // Collected money may have gone back since the release was recorded; then the payout is cancelled instead.
  const isWanted = step !== "release" || mayRelease(payment);
  const isOwed = payment.execution.step !== undefined && isWanted && isUndone(step, wordOf(found));
  if (!isOwed) return { ...believed, outcomes: [found], approach };
  const sent = await provider.perform(payment, step);
  if (sent.kind !== "refused") return { ...believed, outcomes: [found, sent], approach: "send" };
  const { outcomes, isDenied } = await doubt(provider, payment, step, sent);
  return { outcomes: [found, ...outcomes], approach: "send", isDenied };
}

/** Number of denials that are not trusted: the provider may have carried out an earlier attempt, and show it later. */
const doubtedDenials = 3;

/**
 * Checks a refusal of a step that was sent again: an earlier attempt may have been carried out although it was denied since. The refusal
 * counts only when the provider, asked once more, still has not done the step, and has denied it several times.
 */
async function doubt(
  provider: Provider,
  payment: Payment,
  step: Step,
  refused: Extract<Outcome, { kind: "refused" }>,
): Promise<Pick<Consultation, "outcomes" | "isDenied">> {
  const found = await provider.ask(payment, step);
  if (found.kind === "refused") return { outcomes: [found], isDenied: false };
  const { evidence } = refused.refusal;
  const open: Outcome = evidence === undefined ? { kind: "unknown" } : { kind: "unknown", evidence };
  if (!isUndone(step, wordOf(found))) return { outcomes: [found.kind === "unknown" ? open : found], isDenied: false };
  const isDenied = payment.execution.denials < doubtedDenials;
  return { outcomes: [found, isDenied ? open : refused], isDenied };
}

/** Returns one word for what an outcome says of its step: the last fact's kind, `refused`, `absent` or `unknown`. */
const wordOf = (outcome: Outcome): string =>
  outcome.kind === "facts" ? (outcome.facts.at(-1)?.kind ?? "unknown") : outcome.kind;

function attemptOf({ step, provider, approach, outcomes, screening, tookMs }: Consultation, at: Date): Attempt {
  const last = outcomes.at(-1);
  if (last === undefined && screening?.status === "REJECTED") {
    return { step, provider, approach, outcome: screening.status, at, tookMs, code: "RR04" };
  }
  const outcome = last === undefined ? (screening?.status ?? "unknown") : wordOf(last);
  return { step, provider, approach, outcome, at, tookMs, ...proofOf(last) };
}

/** Returns what a provider wrote that became no fact; it is kept with the attempt. */
function proofOf(outcome: Outcome | undefined): { code?: string; evidence?: Evidence } {
  if (outcome?.kind === "refused") {
    const { reason, evidence } = outcome.refusal;
    return { code: reason.code, ...(evidence === undefined ? {} : { evidence }) };
  }
  if (outcome?.kind === "facts") {
    const fact = outcome.facts.at(-1);
    return fact !== undefined && isAgainst(fact) ? { code: named(fact.reason).code } : {};
  }
  return outcome?.kind === "unknown" && outcome.evidence !== undefined ? { evidence: outcome.evidence } : {};
}

/** Kinds of facts that mean something other than what was asked for. */
const against: ReadonlySet<Fact["kind"]> = new Set(["DECLINED", "HELD", "REJECTED", "RETURNED"]);
const isAgainst = ({ kind }: Fact): boolean => against.has(kind);

/** Returns until when a payment that was just taken belongs to its process. */
export const takenUntil = (at: Date): Date => plusMs(at, stepLeaseMs);
