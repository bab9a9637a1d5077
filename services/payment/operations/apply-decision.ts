import type { Payment } from "../domain/payment";
import { awaited } from "../domain/steps";
import type { PaymentStore } from "../store/payment-store";

export interface ApplyDecisionDeps {
  payments: Pick<PaymentStore, "find">;
  /** Asks about a payment; resolves when the payment waits, is idle, or belongs to another process. */
  ask(payment: Payment): Promise<void>;
}

export type ApplyDecision = (news: { paymentId: string }) => Promise<void>;

/**
 * Asks what was decided about a payment that waits for a decision. The message itself is not trusted, because it may be outdated and the
 * answer is not. A payment that waits for no decision is left alone.
 */
export const makeApplyDecision =
  ({ payments, ask }: ApplyDecisionDeps): ApplyDecision =>
  async ({ paymentId }) => {
    const payment = await payments.find(paymentId);
    if (payment === undefined) return;
    if ((payment.execution.step ?? awaited[payment.state]) === "screen") await ask(payment);
  };
