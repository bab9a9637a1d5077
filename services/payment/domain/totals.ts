import { money } from "../../shared/kernel/money";
import { type Fact, factId, type KeptFact, movesMoney } from "./fact";
import type { Payment } from "./payment";
import { runningRefund } from "./reversal";

/** What a fact adds to those that are kept: itself or the rest of a total, nothing since all is known or it is late, or less. */
export type Addition = { kind: "fact"; fact: Fact } | { kind: "known" } | { kind: "nothing" } | { kind: "shrunk" };

/**
 * Makes a movement of a total: what is left of it beside the facts of its kind that the payment keeps. A smaller total that was
 * reported before, or that the provider dates before what is known, comes late and adds nothing. Any other one that is smaller
 * contradicts what is known, and so does a larger one of before.
 */
export function differenceTo(payment: Payment, fact: Fact): Addition {
  const { amount: total } = fact;
  if (fact.isTotal !== true || total === undefined) return { kind: "fact", fact };
  const kept = payment.facts.filter((one) => isCounted(one, fact));
  const known = kept.reduce((sum, { minor }) => sum + (minor ?? 0n), 0n);
  const left = total.minor - known;
  if (left === 0n) return { kind: "known" };
  if (left < 0n) return { kind: isLate(kept, fact) ? "nothing" : "shrunk" };
  if (isOlder(kept, fact)) return { kind: "shrunk" };
  const amount = money(left, total.currency);
  return {
    kind: "fact",
    fact: { ...fact, amount, movementId: movementOf(fact), stepReference: stepOf(payment, fact) },
  };
}

/** How a movement that is reported by itself relates to the totals that were reported before it. */
export type Coverage = { kind: "none" } | { kind: "covered"; by: string } | { kind: "doubtful" };

/**
 * Says whether a movement is within a total that was reported before, and is posted with it. One that is larger than what of the total
 * no movement has reported may be of it in part, or not at all.
 */
export function coverageOf(payment: Payment, fact: Fact): Coverage {
  const { amount } = fact;
  if (fact.isTotal === true || amount === undefined || !movesMoney(fact)) return { kind: "none" };
  // While a refund is under way every total that grows is taken for it: what was reported before it began is another one.
  if (fact.kind === "REFUNDED" && isRunning(payment, fact)) return { kind: "none" };
  const kept = payment.facts.filter((one) => isOfKind(one, fact) && !isContradiction(one));
  const [difference] = kept.filter(isDifference);
  if (difference === undefined) return { kind: "none" };
  const sum = (facts: readonly KeptFact[]): bigint => facts.reduce((total, { minor }) => total + (minor ?? 0n), 0n);
  const untold = sum(kept.filter((one) => isCounted(one, fact))) - sum(kept.filter((one) => !isDifference(one)));
  if (untold <= 0n) return { kind: "none" };
  return amount.minor <= untold ? { kind: "covered", by: difference.id } : { kind: "doubtful" };
}

const isRunning = ({ refunds }: Payment, { stepReference }: Fact): boolean =>
  stepReference !== undefined && runningRefund(refunds)?.id === stepReference;

const isOfKind = (kept: KeptFact, { provider, role, kind, amount }: Fact): boolean =>
  kept.provider === provider && kept.role === role && kept.kind === kind && kept.currency === amount?.currency;

/** Money that a fact has posted: one that confirms another fact, or contradicts one, has posted nothing. */
const isCounted = (kept: KeptFact, fact: Fact): boolean =>
  isOfKind(kept, fact) && kept.confirms === undefined && !isContradiction(kept);

export const isContradiction = ({ id }: KeptFact): boolean => id.includes(":");

const differenceMark = "total-";
export const isDifference = ({ movementId }: KeptFact): boolean => movementId.startsWith(differenceMark);

/** Named after the total, so that the same total is the same movement. */
const movementOf = ({ amount }: Fact): string => `${differenceMark}${amount?.currency ?? ""}-${amount?.minor ?? ""}`;

/** A fact of all that is left, which movements that are reported later are of. */
export const asTotal = <F extends Fact>(fact: F): F => ({
  ...fact,
  movementId: movementOf(fact),
  stepReference: undefined,
  evidence: undefined,
});

const isOlder = (kept: readonly KeptFact[], { providerAt }: Fact): boolean =>
  providerAt !== undefined && kept.some((one) => one.providerAt !== undefined && one.providerAt > providerAt);

/** Reported again, or reported after what came later. Without times of the provider, a total that was reported before is a repeat. */
function isLate(kept: readonly KeptFact[], fact: Fact): boolean {
  const id = factId({ ...fact, movementId: movementOf(fact) });
  return isOlder(kept, fact) || (fact.providerAt === undefined && kept.some((one) => one.id === id));
}

/** A refund that is under way is what the total has grown by. */
const stepOf = ({ refunds, execution: { step } }: Payment, { kind, stepReference }: Fact): string | undefined =>
  stepReference ?? (kind === "REFUNDED" && step === "refund" ? runningRefund(refunds)?.id : undefined);
