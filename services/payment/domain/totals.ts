import { money } from "../../shared/kernel/money";
import { type Fact, factId, type KeptFact, movesMoney } from "./fact";
import type { Payment } from "./payment";
import { runningRefund } from "./reversal";

/**
 * What a fact adds to those that are kept. `fact`: the fact itself, or the rest of a total. `known`: nothing, since all of the total is
 * known. `nothing`: nothing, since the report is late. `shrunk`: the total contradicts what is known.
 */
export type Addition = { kind: "fact"; fact: Fact } | { kind: "known" } | { kind: "nothing" } | { kind: "shrunk" };

/**
 * Turns a total into a movement: the part that the payment's kept facts of the same kind do not cover. A smaller total that was reported
 * before, or that the provider dates before what is known, is late and adds nothing. Any other smaller total contradicts what is known,
 * and so does a larger one with an earlier date.
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

/** How a movement that is reported individually relates to the totals that were reported before it. */
export type Coverage = { kind: "none" } | { kind: "covered"; by: string } | { kind: "doubtful" };

/**
 * Says whether a movement is part of a total that was reported before, and was posted with that total. A movement that is larger than the
 * part of the total which no movement has reported yet may belong to it in part, or not at all.
 */
export function coverageOf(payment: Payment, fact: Fact): Coverage {
  const { amount } = fact;
  if (fact.isTotal === true || amount === undefined || !movesMoney(fact)) return { kind: "none" };
  // While a refund is under way, every growth of the total is taken for that refund; a total that was reported before the refund began
  // covers other movements.
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

/** True when a fact posted money: one that confirms another fact, or contradicts one, has posted nothing. */
const isCounted = (kept: KeptFact, fact: Fact): boolean =>
  isOfKind(kept, fact) && kept.confirms === undefined && !isContradiction(kept);

export const isContradiction = ({ id }: KeptFact): boolean => id.includes(":");

const differenceMark = "total-";
export const isDifference = ({ movementId }: KeptFact): boolean => movementId.startsWith(differenceMark);

/** Returns an id made from the total, so that the same total is the same movement. */
const movementOf = ({ amount }: Fact): string => `${differenceMark}${amount?.currency ?? ""}-${amount?.minor ?? ""}`;

/** Returns a fact for everything that is left; movements that are reported later are parts of it. */
export const asTotal = <F extends Fact>(fact: F): F => ({
  ...fact,
  movementId: movementOf(fact),
  stepReference: undefined,
  evidence: undefined,
});

const isOlder = (kept: readonly KeptFact[], { providerAt }: Fact): boolean =>
  providerAt !== undefined && kept.some((one) => one.providerAt !== undefined && one.providerAt > providerAt);

/**
 * True for a total that is reported again, or after a newer one. When the provider gives no times, a total that was reported before is a
 * repeat.
 */
function isLate(kept: readonly KeptFact[], fact: Fact): boolean {
  const id = factId({ ...fact, movementId: movementOf(fact) });
  return isOlder(kept, fact) || (fact.providerAt === undefined && kept.some((one) => one.id === id));
}

/** Returns the key of the refund that is under way: the growth of the total is that refund. */
const stepOf = ({ refunds, execution: { step } }: Payment, { kind, stepReference }: Fact): string | undefined =>
  stepReference ?? (kind === "REFUNDED" && step === "refund" ? runningRefund(refunds)?.id : undefined);
