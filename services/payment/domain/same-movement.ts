import { type Fact, type KeptFact, movesMoney } from "./fact";
import type { Payment } from "./payment";
import { runningRefund } from "./reversal";
import { isContradiction, isDifference } from "./totals";

/**
 * Kinds of movements that our own reference or key identifies: a provider does each once per key, so a repeated report is the same
 * movement.
 */
const once: ReadonlySet<Fact["kind"]> = new Set(["CAPTURED", "SETTLED", "PAID"]);

/** Assigns a refund that has no key of ours to the refund that is under way. */
export function withItsRefund({ refunds, execution: { step } }: Payment, fact: Fact): Fact {
  if (fact.kind !== "REFUNDED" || fact.stepReference !== undefined || step !== "refund") return fact;
  return { ...fact, stepReference: runningRefund(refunds)?.id };
}

/**
 * Returns the kept fact that is the same movement: one that was implied by a later fact, or one where either report had no id. Without an
 * id, two movements are the same only under the same key: two refunds of one amount are two.
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
 * True when a movement without an id may be a known one or a new one, and nothing shows which: neither report has a key of ours, or only
 * one of them has.
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

/** Returns movements of the same kind that were reported individually. Money in another currency is never the same. */
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
