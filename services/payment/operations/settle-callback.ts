import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import { isFinal, unchanged } from "../domain/payment";
import { applyReport } from "../domain/rail-report";
import type { Rails } from "../ports";
import type { PaymentStore } from "../store/payment-store";

export interface SettleCallbackDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  rails: Rails;
  clock: Clock;
  nudgeRelay(): void;
}

export type SettleCallback = (callback: { rail: string; signature: string; body: Buffer }) => Promise<void>;

/** Rivals for one payment are the executor and repeats of the callback: each try sees what the last winner saved. */
const maxTries = 5;

/**
 * Applies a rail's callback. Throws UNAUTHENTICATED for a wrong signature, and UNAVAILABLE while the report cannot be
 * placed yet, so that the rail sends it again. An unknown reference and a late report are accepted and change nothing.
 */
export const makeSettleCallback =
  (deps: SettleCallbackDeps): SettleCallback =>
  async ({ rail: name, signature, body }) => {
    const rail = deps.rails.get(name);
    if (rail === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such rail");
    const report = rail.readCallback(signature, body);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const payment = await deps.payments.find(report.reference);
      if (payment === undefined || payment.instruction.rail !== name || isFinal(payment.state)) return;
      const change = applyReport(unchanged(payment), report, deps.clock.now());
      if (change.events.length === 0) return;
      if (await deps.payments.save(payment, change)) return deps.nudgeRelay();
    }
    throw new DomainError("UNAVAILABLE", "the payment is being changed by others");
  };
