import { DomainError } from "../../shared/kernel/errors";

/** The legs of each type of payment: a PULL pays no recipient, and a PUSH collects nothing. */
export type LegsOf<Pull, Payout> =
  | { type: "PULL"; pull: Pull; payout: undefined }
  | { type: "PUSH"; pull: undefined; payout: Payout }
  | { type: "PULLPUSH"; pull: Pull; payout: Payout };

export type PaymentType = LegsOf<unknown, unknown>["type"];

/** Returns the legs with the payment type that they make up; undefined when there are none. */
export function legsOf<Pull extends object, Payout extends object>(
  pull: Pull | undefined,
  payout: Payout | undefined,
): LegsOf<Pull, Payout> | undefined {
  if (pull === undefined) return payout && { type: "PUSH", pull, payout };
  return payout === undefined ? { type: "PULL", pull, payout } : { type: "PULLPUSH", pull, payout };
}

/** Returns the legs of a payment of known type. A payment that lacks a leg of its type is a bug and throws. */
export function requireLegs<Pull extends object, Payout extends object>(
  type: PaymentType,
  pull: Pull | undefined,
  payout: Payout | undefined,
): LegsOf<Pull, Payout> {
  const legs = legsOf(pull, payout);
  if (legs?.type !== type) throw new DomainError("INTERNAL", `a ${type} has other legs than its type`);
  return legs;
}
