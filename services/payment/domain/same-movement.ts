import { type Fact, type KeptFact, movesMoney } from "./fact";
import type { Payment } from "./payment";
import { runningRefund } from "./reversal";
import { isContradiction, isDifference } from "./totals";

/** Acts that our own reference or key names by itself: a provider does them once for it, so a repeated report is the same. */
const once: ReadonlySet<Fact["kind"]> = new Set(["CAPTURED", "SETTLED", "PAID"]);

/** A refund that names no key of ours is the one that is under way. */
export function withItsRefund({ refunds, execution: { step } }: Payment, fact: Fact): Fact {
  if (fact.kind !== "REFUNDED" || fact.stepReference !== undefined || step !== "refund") return fact;
  return { ...fact, stepReference: runningRefund(refunds)?.id };
}

/**
 * What stands for the same movement already: one that was taken for granted because of a later fact, or one of which either side
 * had no id. What has no id is the same only under the same key: two refunds of one amount are two.
 */
export function standIn({ facts }: Payment, fact: Fact): KeptFact | undefined {
  const isConfirmed = (kept: KeptFact): boolean => facts.some(({ confirms }) => confirms === kept.id);
  return alike(facts, fact).find((kept) => {
    if (kept.isImplied) return fact.movementId === undefined || !isConfirmed(kept);
    if (fact.movementId === undefined) return isUnderSameKey(kept, fact);
    const isItsOwn = kept.movementId === (fact.stepReference ?? fact.reference);
    const isOnly = once.has(fact.kind) && kept.stepReference === undefined;
    return kept.isAnonymous && (isItsOwn || isOnly) && !isConfirmed(kept);
  });
}

/**
 * True when a movement without an id may be one that is known, or one more, and nothing shows which: neither has a key of ours that
 * would name it, or only one of them has.
 */
export function isDoubtful({ facts }: Payment, fact: Fact): boolean {
  if (fact.isTotal === true || fact.movementId !== undefined) return false;
  const known = alike(facts, fact);
  if (known.some(({ isImplied }) => isImplied)) return false;
  const isOnce = once.has(fact.kind);
  if (known.some((kept) => isUnderSameKey(kept, fact))) return !isOnce && fact.stepReference === undefined;
  return isOnce ? known.some((kept) => isKeyed(kept) !== isKeyed(fact)) : known.length > 0 && !isKeyed(fact);
}

const isKeyed = ({ stepReference }: Pick<Fact, "stepReference">): boolean => stepReference !== undefined;
const isUnderSameKey = (kept: KeptFact, { stepReference }: Fact): boolean => kept.stepReference === stepReference;

/** Movements of the same kind that were reported by themselves. Money in another currency is never the same. */
const alike = (facts: readonly KeptFact[], fact: Fact): readonly KeptFact[] =>
  movesMoney(fact)
    ? facts.filter(
        (kept) =>
          kept.role === fact.role &&
          kept.kind === fact.kind &&
          kept.currency === fact.amount?.currency &&
          !isDifference(kept) &&
          !isContradiction(kept),
      )
    : [];
