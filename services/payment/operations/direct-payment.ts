import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { applyCommand, type Command } from "../domain/commands";
import type { Payment } from "../domain/payment";
import type { PaymentStore } from "../store/payment-store";

export interface DirectPaymentDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  clock: Clock;
  proceed(payment: Payment, approach: "send" | "ask"): Promise<void>;
}

/** Commands that are claimed at once and carried out in the background. */
export type DirectCommand = Extract<Command, { kind: "cancel" | "rejectHold" | "approveReversal" | "refuseReversal" }>;

/** Returns the payment as the command left it. */
/** `agentId`: another agent's payment is not found. */
export type DirectPayment = (
  tenant: string,
  paymentId: string,
  command: DirectCommand,
  agentId?: string,
) => Promise<Payment>;

/**
 * Claims a command by compare-and-set, and carries the payment on. Throws PAYMENT_NOT_FOUND, STATE_CONFLICT, and UNAVAILABLE when others
 * keep changing the payment. A payment that was cancelled before is returned unchanged.
 */
export const makeDirectPayment =
  ({ payments, clock, proceed }: DirectPaymentDeps): DirectPayment =>
  (tenant, paymentId, command, agentId) =>
    retryOnConflict("payment", async () => {
      const payment = await payments.find(paymentId);
      if (payment === undefined || payment.tenant !== tenant || !isOf(payment, agentId)) {
        throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
      }
      if (isCancel(command) && payment.cancelledAt !== undefined) return payment;
      const result = await payments.save(payment, applyCommand(payment, command, clock.now()));
      if (result.kind !== "saved") return conflict;
      if (result.payment.execution.step !== undefined) void proceed(result.payment, "send");
      return result.payment;
    });

const isCancel = ({ kind }: DirectCommand): boolean => kind === "cancel" || kind === "rejectHold";

/** True when the agent may direct the payment: its own payments, and those that its tenant made itself. */
const isOf = ({ agent }: Payment, agentId: string | undefined): boolean =>
  agentId === undefined || agent === undefined || agent.id === agentId;
