import { DomainError } from "../../shared/kernel/errors";
import { collectedMinor, paidOutMinor } from "./balance";
import type { Fact } from "./fact";
import type { Payment } from "./payment";

/** Kinds that say that nothing moved. From a provider that has moved money they mean that all of it went back. */
const denials: ReadonlySet<Fact["kind"]> = new Set(["DECLINED", "VOIDED", "REJECTED", "CANCELLED"]);

/** True when a report says that nothing moved although the payment's money has moved. */
export function deniesMovedMoney(payment: Payment, { role, kind }: Pick<Fact, "role" | "kind">): boolean {
  return denials.has(kind) && (role === "pull" ? collectedMinor(payment) : paidOutMinor(payment)) > 0n;
}

/** Throws when a person says that nothing moved although money has: the person must say what became of it, with its kind and amount. */
export function requireNothingMoved(payment: Payment, fact: Pick<Fact, "role" | "kind">): void {
  if (!deniesMovedMoney(payment, fact)) return;
  const { kind } = fact;
  const message = `money has moved: ${kind} does not say what became of it, and what went back has a kind and an amount`;
  throw new DomainError("STATE_CONFLICT", message, { details: { status: payment.status, allowed: [] } });
}
