import { type Clock, monotonicMs, plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import { timeOut } from "../domain/commands";
import { postpone } from "../domain/flow";
import { providerOf } from "../domain/legs";
import { begin, type Change, isAtRest, type Payment, stepLeaseMs, unchanged } from "../domain/payment";
import { applyReport } from "../domain/report";
import { awaited, isUndone, type Step } from "../domain/steps";
import type { Outcome, Provider, Providers } from "../ports";
import type { Attempt } from "../store/payment-record";
import type { PaymentStore } from "../store/payment-store";

export interface AdvancePaymentDeps {
  payments: Pick<PaymentStore, "save">;
  providers: Providers;
  clock: Clock;
  /** Tells the relay that events wait. */
  nudgeRelay(): void;
}

/**
 * `send` for whoever has just recorded the step: the call cannot have been made yet. `ask` for everybody else: the
 * provider is asked what became of the step before anything is sent.
 */
export type Approach = "send" | "ask";

export type AdvancePayment = (payment: Payment, approach: Approach) => Promise<void>;

/** The longest flow has eight calls to providers; more turns than this mean that a payment goes in circles. */
const maxTurns = 16;

/** What one turn found out. */
interface Consultation {
  step: Step;
  provider: string;
  finalityWindowMs: number;
  outcome: Outcome;
  approach: Approach;
  tookMs: number;
}

/**
 * Carries a payment on until it is at rest or must wait. Each turn is: call the provider under the step's key, decide,
 * save. A crash between any two of these leaves a payment that is due again, and a provider that knows our key.
 */
export const makeAdvancePayment =
  (deps: AdvancePaymentDeps): AdvancePayment =>
  async (payment, approach) => {
    let current = payment;
    let next = approach;
    for (let turn = 0; turn < maxTurns && !isAtRest(current); turn += 1) {
      const step = current.step ?? awaited[current.state];
      const consulted = step === undefined ? undefined : await consult(deps.providers, current, step, next);
      const at = deps.clock.now();
      const change = consulted === undefined ? timeOut(current, at) : decide(current, consulted, at);
      if (change === undefined) return;
      const attempt = consulted === undefined ? undefined : attemptOf(consulted, at);
      const result = await deps.payments.save(current, change, attempt);
      if (change.events.length > 0) deps.nudgeRelay();
      if (result !== "saved" || change.next.step === undefined || change.next.tries > 0) return;
      current = { ...change.next, version: current.version + 1 };
      next = "send";
    }
  };

/** A report that changes nothing leaves the payment as unchange as silence does. */
function decide(payment: Payment, consulted: Consultation, at: Date): Change {
  const { outcome, step, finalityWindowMs, approach } = consulted;
  if (outcome.kind === "report") {
    const change = applyReport(unchanged(payment), outcome.report, at);
    if (change.events.length > 0 || change.next.step !== payment.step) return change;
  }
  const isFinal = payment.sentAt !== undefined && plusMs(payment.sentAt, finalityWindowMs) <= at;
  if (outcome.kind === "absent" && step === "release" && isFinal) return begin(unchanged(payment), "cancel", at);
  return timeOut(payment, at) ?? unchanged(postpone(payment, at, approach === "send"));
}

/** Sends the recorded step, or asks first and sends only what the provider certainly has not done. */
async function consult(providers: Providers, payment: Payment, step: Step, approach: Approach): Promise<Consultation> {
  const name = providerOf(payment, step) ?? "";
  const provider = providers.get(name);
  if (provider === undefined) throw new DomainError("INTERNAL", `no provider ${name}`);
  const startedAtMs = monotonicMs();
  const answer = await askOrSend(provider, payment, step, approach);
  const { finalityWindowMs } = provider;
  return { step, provider: name, finalityWindowMs, ...answer, tookMs: Math.round(monotonicMs() - startedAtMs) };
}

async function askOrSend(
  provider: Provider,
  payment: Payment,
  step: Step,
  approach: Approach,
): Promise<Pick<Consultation, "outcome" | "approach">> {
  if (approach === "ask") {
    const outcome = await provider.ask(payment, step);
    const isOwed = payment.step !== undefined && isUndone(step, wordOf(outcome));
    if (!isOwed) return { outcome, approach };
  }
  return { outcome: await provider.perform(payment, step), approach: "send" };
}

const wordOf = (outcome: Outcome): string => (outcome.kind === "report" ? outcome.report.status : outcome.kind);

const attemptOf = ({ step, provider, approach, outcome, tookMs }: Consultation, at: Date): Attempt => ({
  step,
  provider,
  approach,
  outcome: wordOf(outcome),
  at,
  tookMs,
});

/** How long a payment that was taken up belongs to its taker. */
export const takenUntil = (at: Date): Date => plusMs(at, stepLeaseMs);
