import { derivedUuid } from "../../shared/kernel/ids";
import type { Payment } from "./payment";
import { roleOf, type Step } from "./steps";

/** Returns the id of a leg. The two legs of a PULLPUSH are child payments; any other payment is its own leg. */
export const legId = ({ id, type }: Pick<Payment, "id" | "type">, leg: "pull" | "push"): string =>
  type === "PULLPUSH" ? derivedUuid("leg", id, leg) : id;

/** Returns the id of a refund, which is the same on every attempt. */
export const refundIdOf = (paymentId: string, externalRefundId: string): string =>
  derivedUuid("refund", paymentId, externalRefundId);

/** Returns the id of a reversal that the platform makes by itself; another one follows only when a person begins it. */
export const reversalIdOf = (paymentId: string, earlier: number): string =>
  earlier === 0 ? derivedUuid("reversal", paymentId) : derivedUuid("reversal", paymentId, String(earlier));

/** Name of the provider that decides whether a payment may go on. */
export const compliance = "identity";

/** Returns the name of the provider that a step of a payment goes to. */
export function providerOf({ pull, payout }: Payment, step: Step): string | undefined {
  const names = { pull: pull?.provider, payout: payout?.rail, screening: compliance };
  return names[roleOf[step]];
}
