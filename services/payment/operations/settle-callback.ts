import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import { type Payment, unchanged } from "../domain/payment";
import { applyReport, type Report } from "../domain/report";
import { roleOf, type Step } from "../domain/steps";
import type { Providers } from "../ports";
import type { PaymentStore } from "../store/payment-store";

export interface SettleCallbackDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  providers: Providers;
  clock: Clock;
  /** Asks the provider of a payment that has news. */
  ask(payment: Payment): Promise<void>;
  nudgeRelay(): void;
}

export type SettleCallback = (callback: { provider: string; signature: string; body: Buffer }) => Promise<void>;

/** Rivals for one payment are the executor and repeats of the callback: each try sees what the last winner saved. */
const maxTries = 5;

/**
 * Applies a provider's callback. Throws UNAUTHENTICATED for a wrong signature, and UNAVAILABLE while the report cannot be
 * placed yet, so that the provider sends it again. An unknown reference and a late report are accepted and change nothing.
 */
export const makeSettleCallback =
  (deps: SettleCallbackDeps): SettleCallback =>
  async ({ provider: name, signature, body }) => {
    const provider = deps.providers.get(name);
    if (provider === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such provider");
    const { reference, report } = provider.readCallback(signature, body);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const payment = await deps.payments.find(reference);
      if (payment === undefined || !isConcerned(payment, name)) return;
      if (report === undefined) return deps.ask(payment);
      const change = applyReport(unchanged(payment), report, deps.clock.now());
      if (change.events.length === 0) return requirePlaced(payment, report);
      if ((await deps.payments.save(payment, change)) !== "saved") continue;
      deps.nudgeRelay();
      if (change.next.step !== undefined) void deps.ask({ ...change.next, version: payment.version + 1 });
      return;
    }
    throw new DomainError("UNAVAILABLE", "the payment is being changed by others");
  };

const isConcerned = ({ pull, payout }: Payment, name: string): boolean =>
  pull?.provider === name || payout?.rail === name;

/** Money that came back is never dropped: while another call is under way, the provider has to say it again. */
function requirePlaced({ step }: Payment, { role, status }: Report): void {
  if (status === "RETURNED" && step !== undefined && runsFor(role, step)) {
    throw new DomainError("UNAVAILABLE", "another call of this payment is under way");
  }
}

const runsFor = (role: Report["role"], step: Step): boolean =>
  roleOf[step] === role || role === "pull" || step === "refund";
