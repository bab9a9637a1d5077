import { type Clock, plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import { isFinal, type Payment, stepLeaseMs, unchanged } from "../domain/payment";
import { applyReport, postpone } from "../domain/rail-report";
import type { Rail, RailAnswer, Rails } from "../ports";
import type { PaymentStore } from "../store/payment-store";

export interface AdvancePaymentDeps {
  payments: Pick<PaymentStore, "save">;
  rails: Rails;
  clock: Clock;
  /** Tells the relay that events wait. */
  nudgeRelay(): void;
}

/**
 * `send` for whoever has just recorded the step: the call cannot have been made yet. `ask` for everybody else: the rail is
 * asked what became of the instruction before anything is sent.
 */
export type Approach = "send" | "ask";

export type AdvancePayment = (payment: Payment, approach: Approach) => Promise<void>;

/** A push has two calls to its rail; more turns than this mean that a payment goes in circles. */
const maxTurns = 8;

/**
 * Carries a payment on until it is final or must wait. Each turn is: call the rail under our reference, decide, save. A
 * crash between any two of these leaves a payment that is due again, and a rail that knows our reference.
 */
export const makeAdvancePayment =
  (deps: AdvancePaymentDeps): AdvancePayment =>
  async (payment, approach) => {
    let current = payment;
    let next = approach;
    for (let turn = 0; turn < maxTurns && !isFinal(current.state); turn += 1) {
      const answer = await consult(railOf(deps.rails, current), current, next);
      const at = deps.clock.now();
      const change = answer.kind === "report" ? applyReport(unchanged(current), answer.report, at) : unchanged(current);
      const isStuck = change.events.length === 0;
      const decided = isStuck ? { ...change, next: postpone(current, at) } : change;
      const isSaved = await deps.payments.save(current, decided);
      if (!isSaved || isStuck) return;
      deps.nudgeRelay();
      if (change.next.step === undefined) return;
      current = { ...change.next, version: current.version + 1 };
      next = "send";
    }
  };

function railOf(rails: Rails, payment: Payment): Rail {
  const rail = rails.get(payment.instruction.rail);
  if (rail === undefined) throw new DomainError("INTERNAL", `no rail ${payment.instruction.rail}`);
  return rail;
}

/** Sends the recorded step, or asks first and sends only what the rail certainly has not done. */
async function consult(rail: Rail, payment: Payment, approach: Approach): Promise<RailAnswer> {
  const { step, instruction } = payment;
  if (step === undefined) return rail.query(instruction.reference);
  if (approach === "ask") {
    const found = await rail.query(instruction.reference);
    const isPending =
      step === "prepare" ? found.kind === "absent" : found.kind === "report" && found.report.status === "PREPARED";
    if (!isPending) return found;
  }
  return step === "prepare" ? rail.prepare(instruction) : rail.release(instruction.reference);
}

/** How long a payment that was taken up belongs to its taker. */
export const takenUntil = (at: Date): Date => plusMs(at, stepLeaseMs);
