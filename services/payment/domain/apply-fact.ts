import { formatMoney, money } from "../../shared/kernel/money";
import { collectedMinor, isAccepted, isInBalance, paidOutMinor } from "./balance";
import { endSilence, openCase } from "./cases";
import { type Fact, factId, isKept, isOfSameAmount, type KeptFact, movesMoney, type PullFact, toKept } from "./fact";
import {
  type Change,
  type CollectingPayment,
  collects,
  isIdle,
  moveMoney,
  type PayingPayment,
  type Payment,
  paysOut,
  update,
  updatePayout,
  updatePull,
} from "./payment";
import { reactToPayout } from "./payout-facts";
import { type Movement, postCapture, postPayout, postPayoutReturn, postRefund } from "./postings";
import { reactToPull } from "./pull-facts";
import { isDoubtful, standIn, withItsRefund } from "./same-movement";
import { asTotal, coverageOf, differenceTo } from "./totals";
import { suspensePostings } from "./unknown-fact";

/**
 * Applies a fact that a provider reports. A fact is kept once and its money is posted at once, with its own amount, in whatever state the
 * payment is; the flow then only decides what to do next. A case is opened when the fact leaves the payment with other money than its
 * status says, has another amount than was asked for, or reports a movement that was already reported in a different way.
 */
export function applyFact(change: Change, told: Fact, at: Date): Change {
  const taken = differenceTo(change.next, told);
  if (taken.kind === "nothing") return withDetails(change, told);
  if (taken.kind === "known") return toldAgain(withDetails(change, told), told, undefined, at);
  if (taken.kind === "shrunk") return contradicted(withDetails(change, told), told, at);
  const fact = withItsRefund(change.next, taken.fact);
  const noted = withDetails(change, fact);
  if (isDoubtful(noted.next, fact)) return doubted(noted, fact, at);
  const known = noted.next.facts.find(({ id }) => id === factId(fact));
  if (isForeign(noted.next, fact))
    return known === undefined ? takeForeign(noted, fact, at) : retold(noted, known, fact, at);
  if (known === undefined) return takeNew(noted, fact, at);
  return isOfSameAmount(known, fact) ? toldAgain(noted, fact, known, at) : contradicted(noted, fact, at);
}

/**
 * Applies a repeated fact: the flow may be waiting by now for what is already known. A known refund is not taken for the refund that is
 * under way.
 */
function toldAgain(change: Change, fact: Fact, known: KeptFact | undefined, at: Date): Change {
  if (fact.kind !== "REFUNDED") return progressed(change, react(change, fact, at));
  const stepReference = known?.stepReference;
  return stepReference === undefined ? change : progressed(change, react(change, { ...fact, stepReference }, at));
}

/** True when the money is in another currency than the leg of the payment that the fact belongs to. */
function isForeign({ amount: asked, payout }: Payment, fact: Fact): boolean {
  const { amount, role } = fact;
  const own = role === "pull" ? asked.currency : payout?.amount.currency;
  return amount !== undefined && movesMoney(fact) && amount.currency !== own;
}

/**
 * Takes money in another currency. It is not what was asked for, whatever it is worth: it is posted as it is, against suspense, and a
 * person must find out why. The flow goes on as if no answer had come.
 */
function takeForeign(change: Change, fact: Fact, at: Date): Change {
  const stand = fact.isTotal === true ? undefined : standIn(change.next, fact);
  if (stand !== undefined) return confirmForeign(change, stand, fact, at);
  const isSettlement = ({ kind, movementId }: KeptFact): boolean =>
    fact.kind === "SETTLED" && kind === "CAPTURED" && movementId === toKept(fact, at).movementId;
  const postings = change.next.facts.some(isSettlement) ? [] : suspensePostings(fact);
  const kept = keep(change, toKept(fact, at));
  const posted = postings.length === 0 ? kept : moveMoney(kept, "foreign-currency", at, postings, factId(fact));
  const text = `${fact.provider} reports ${fact.kind} of ${amountText(fact)}, which is not the currency that was asked for`;
  return openCase(posted, "AMOUNT_DIFFERS", text, fact);
}

/** Applies a second report of one foreign movement: with its id after a report without one, or the other way round. */
function confirmForeign(change: Change, stand: KeptFact, fact: Fact, at: Date): Change {
  if (!isOfSameAmount(stand, fact)) return contradicted(change, fact, at);
  return fact.movementId === undefined ? change : keep(change, { ...toKept(fact, at), confirms: stand.id });
}

const retold = (change: Change, known: KeptFact, fact: Fact, at: Date): Change =>
  isOfSameAmount(known, fact) ? change : contradicted(change, fact, at);

function takeNew(change: Change, fact: Fact, at: Date): Change {
  // A difference between totals has not been reported by any fact that is kept.
  const stand = fact.isTotal === true ? undefined : standIn(change.next, fact);
  if (stand !== undefined) return confirm(change, stand, fact, at);
  const coverage = coverageOf(change.next, fact);
  if (coverage.kind === "covered") return covered(change, coverage.by, fact, at);
  if (isOvertaken(change.next, fact)) return overtaken(change, fact, at);
  const doubted = coverage.kind === "doubtful" ? largerThanTotal(change, fact) : change;
  const effect = effectOf(change.next, fact);
  const told = isKept(fact) ? keep(doubted, toKept(fact, at)) : doubted;
  const undone = effect === fact ? undefined : asUndone(change.next, effect);
  const kept = undone === undefined ? told : keep(told, toKept(undone, at));
  const posted = post(kept, effect, factId(undone ?? fact), at);
  const reacted = react(posted, effect, at);
  const next = progressed(posted, reacted);
  const differing = differsFromAsked(change.next, effect);
  const compared = differing === undefined ? next : openCase(next, "AMOUNT_DIFFERS", differing, fact);
  if (reacted === undefined && isLateAuthorisation(change.next, fact)) {
    return openCase(compared, "CONTRADICTION", `${fact.provider} allows what it had voided`, fact);
  }
  return balanced(compared, fact, reacted === undefined && movesMoney(effect));
}

/** Returns what a provider gave back without reporting how, as a total: movements that it may list later are parts of it. */
function asUndone({ pull }: Payment, effect: Fact): Fact {
  const isCard = effect.role === "pull" && pull?.source.kind === "card";
  return asTotal(isCard ? { ...effect, kind: "REFUNDED" } : effect);
}

/**
 * Keeps a refusal that is dated before the payout and opens a case: only the rail's clock says whether the money came back, so a person
 * must find out.
 */
const overtaken = (change: Change, fact: Fact, at: Date): Change =>
  openCase(
    keep(change, toKept(fact, at)),
    "CONTRADICTION",
    `${fact.provider} reports ${fact.kind} from before it paid: ask it whether the recipient has the money`,
    fact,
  );

/** Keeps a movement that was already posted as part of a total. */
function covered(change: Change, total: string, fact: Fact, at: Date): Change {
  const kept = keep(change, { ...toKept(fact, at), confirms: total });
  return progressed(kept, react(kept, fact, at));
}

const largerThanTotal = (change: Change, fact: Fact): Change =>
  openCase(
    change,
    "CONTRADICTION",
    `${fact.provider} reports ${fact.kind} of ${amountText(fact)}, which is more than is left of the total that it reported`,
    fact,
  );

const react = (change: Change, fact: Fact, at: Date): Change | undefined =>
  fact.role === "pull" ? reactToPull(change, fact, at) : reactToPayout(change, fact, at);

const progressed = (before: Change, reacted: Change | undefined): Change =>
  reacted === undefined ? before : endSilence(reacted);

const isLateAuthorisation = (payment: Payment, { kind }: Fact): boolean =>
  kind === "AUTHORIZED" && payment.pull?.voidedAt !== undefined && isIdle(payment);

/** True for a late refusal: by the rail's own times it paid after it had refused, so nothing should have come back. */
const isOvertaken = ({ facts }: Payment, { kind, role, providerAt }: Fact): boolean =>
  role === "payout" &&
  (kind === "REJECTED" || kind === "CANCELLED") &&
  providerAt !== undefined &&
  facts.some((kept) => kept.kind === "PAID" && kept.providerAt !== undefined && kept.providerAt > providerAt);

/** Returns what a fact amounts to: a provider that declines, voids, rejects or cancels what had moved has given it back. */
function effectOf(payment: Payment, fact: Fact): Fact {
  if (fact.role === "pull") {
    const minor = collectedMinor(payment);
    const isUndone = (fact.kind === "DECLINED" || fact.kind === "VOIDED") && minor > 0n;
    return isUndone ? { ...fact, kind: "RETURNED", amount: money(minor, payment.amount.currency) } : fact;
  }
  const minor = paidOutMinor(payment);
  const isUndone = (fact.kind === "REJECTED" || fact.kind === "CANCELLED") && minor > 0n;
  return isUndone ? { ...fact, kind: "RETURNED", amount: money(minor, payment.payout?.amount.currency ?? "") } : fact;
}

function confirm(change: Change, stand: KeptFact, fact: Fact, at: Date): Change {
  const isSame = fact.movementId === undefined && isOfSameAmount(stand, fact);
  const kept = isSame ? change : keep(change, { ...toKept(fact, at), confirms: stand.id });
  if (isOfSameAmount(stand, fact)) return toldAgain(kept, fact, toKept(fact, at), at);
  const text = `${fact.provider} reports ${fact.kind} of ${amountText(fact)}, unlike what is known of the same movement`;
  return openCase(kept, "CONTRADICTION", text, fact);
}

const keep = <P extends Payment>(change: Change<P>, fact: KeptFact): Change<P> =>
  update(change, { facts: [...change.next.facts, fact] });

/** Keeps the same movement with another amount and opens a case: the first amount stays posted, and a person finds out which is right. */
function contradicted(change: Change, fact: Fact, at: Date): Change {
  const id = aside(fact);
  if (change.next.facts.some((kept) => kept.id === id)) return change;
  const kept = keep(change, toKept(fact, at, id));
  const text = `${fact.provider} reports ${fact.kind} of ${amountText(fact)} for a movement that it reported with another amount`;
  return openCase(kept, "CONTRADICTION", text, fact);
}

/** Keeps a movement that may be known already, without posting it. Operators are notified for as long as no case is open. */
function doubted(change: Change, fact: Fact, at: Date): Change {
  const id = aside(fact);
  const isKnown = change.next.facts.some((one) => one.id === id);
  if (isKnown && change.next.openCase !== undefined) return change;
  const kept = isKnown ? change : keep(change, toKept(fact, at, id));
  const text = `${fact.provider} reports ${fact.kind} of ${amountText(fact)} without an id: a movement that is known, or one more`;
  return openCase(kept, "CONTRADICTION", text, fact);
}

/** Returns the id of a fact that is kept beside another one and has posted nothing. */
const aside = (fact: Fact): string => `${factId(fact)}:${fact.amount?.currency ?? ""}${fact.amount?.minor ?? ""}`;

const amountText = ({ amount }: Fact): string =>
  amount === undefined ? "no amount" : `${formatMoney(amount)} ${amount.currency}`;

/** Applies what a provider reports besides the outcome. */
function withDetails(change: Change, fact: Fact): Change {
  if (fact.role === "pull") {
    return collects(change) && fact.details !== undefined ? updatePull(change, fact.details) : change;
  }
  if (!paysOut(change)) return change;
  const { payout } = change.next;
  const railId = fact.railId ?? payout.railId;
  const receipt = fact.receipt ?? payout.receipt;
  const isNews = railId !== payout.railId || receipt !== payout.receipt;
  return isNews ? updatePayout(change, { railId, receipt }) : change;
}

/** Posts what the fact moved, and the earlier movements that it implies. */
function post(change: Change, fact: Fact, entryId: string, at: Date): Change {
  const minor = fact.amount?.minor;
  if (minor === undefined || !movesMoney(fact)) return change;
  const movement = { minor, entryId };
  if (fact.role === "pull") return collects(change) ? postOnPull(change, fact, movement, at) : change;
  if (!paysOut(change)) return change;
  if (fact.kind === "PAID") return postPayout(change, movement, at);
  return postPayoutReturn(impliedPayout(change, fact, at), movement, at);
}

type Collecting = Change<CollectingPayment>;

function postOnPull(change: Collecting, fact: PullFact, movement: Movement, at: Date): Collecting {
  switch (fact.kind) {
    case "CAPTURED":
      return postCapture(change, movement, at);
    case "SETTLED":
      return postSettlement(change, fact, movement, at);
    case "REFUNDED":
      return postRefund(change, "refund", movement, at);
    case "CHARGED_BACK":
      return postRefund(change, "chargeback", movement, at);
    case "RETURNED":
      return postDebitReturn(change, fact, movement, at);
    default:
      return change;
  }
}

/** Posts the payout that a return implies, where no report of the payout has come. */
function impliedPayout(change: Change<PayingPayment>, fact: Fact, at: Date): Change<PayingPayment> {
  const { payout } = change.next;
  if (payout.paidMinor > 0n) return change;
  return implied(change, { ...fact, kind: "PAID", role: "payout", amount: payout.amount }, at, postPayout);
}

/**
 * Posts the collection that a settlement or a return implies. When a settlement has another amount than was accepted, the settlement's
 * amount counts.
 */
function postSettlement(change: Collecting, fact: Fact, { minor, entryId }: Movement, at: Date): Collecting {
  const { pull } = change.next;
  const settled = updatePull(change, { settledMinor: minor });
  if (pull.capturedMinor === 0n) return impliedCapture(settled, fact, minor, at);
  const missing = minor - (pull.settledMinor ?? pull.capturedMinor);
  return missing === 0n ? settled : postCapture(settled, { minor: missing, entryId }, at);
}

function postDebitReturn(change: Collecting, fact: Fact, movement: Movement, at: Date): Collecting {
  const taken = change.next.pull.capturedMinor === 0n ? impliedCapture(change, fact, movement.minor, at) : change;
  return takenBack(postRefund(taken, "debit-return", movement, at), at);
}

/** Records that nothing is left of what was collected. */
function takenBack(change: Collecting, at: Date): Collecting {
  const { refundedMinor, capturedMinor, returnedAt } = change.next.pull;
  return refundedMinor >= capturedMinor ? updatePull(change, { returnedAt: returnedAt ?? at }) : change;
}

const impliedCapture = (change: Collecting, fact: Fact, minor: bigint, at: Date): Collecting => {
  const currency = fact.amount?.currency ?? change.next.amount.currency;
  return implied(change, { ...fact, kind: "CAPTURED", role: "pull", amount: money(minor, currency) }, at, postCapture);
};

function implied<P extends Payment>(
  change: Change<P>,
  fact: Fact,
  at: Date,
  postIt: (change: Change<P>, movement: Movement, at: Date) => Change<P>,
): Change<P> {
  const kept = { ...toKept(fact, at), isImplied: true };
  if (change.next.facts.some(({ id }) => id === kept.id)) return change;
  return postIt(keep(change, kept), { minor: fact.amount?.minor ?? 0n, entryId: kept.id }, at);
}

/**
 * Says how the fact differs from the amount that we asked for; undefined for a fact that was not asked for, which is checked by its
 * consequences.
 */
function differsFromAsked(before: Payment, fact: Fact): string | undefined {
  const asked = askedMinor(before, fact);
  const { amount } = fact;
  if (asked === undefined || amount === undefined || amount.minor === asked) return undefined;
  const wanted = formatMoney(money(asked, amount.currency));
  return `${fact.provider} reports ${fact.kind} of ${amountText(fact)} where ${wanted} was asked for`;
}

function askedMinor({ pull, payout, refunds, amount: { minor: asked } }: Payment, fact: Fact): bigint | undefined {
  switch (fact.kind) {
    case "AUTHORIZED":
      return pull?.authorizedAt === undefined ? asked : undefined;
    case "CAPTURED":
      return pull?.capturedMinor === 0n ? pull.captureMinor : undefined;
    case "SETTLED":
      return pull?.capturedMinor === 0n ? pull.captureMinor : (pull?.settledMinor ?? pull?.capturedMinor);
    case "REFUNDED":
      return refunds.find(({ id }) => id === fact.stepReference)?.minor;
    case "PAID":
      return payout?.paidMinor === 0n ? payout.amount.minor : undefined;
    default:
      return undefined;
  }
}

/** Notifies an operator when a payment that is idle does not hold what its status says, or when unexpected money has moved. */
function balanced(change: Change, fact: Fact, isUnexpected: boolean): Change {
  const { next } = change;
  const isOver = isIdle(next);
  const isKnown = next.openCase !== undefined && !isUnexpected;
  if (isOver ? isInBalance(next) || isAccepted(next) || isKnown : !isUnexpected) return change;
  const text = `${fact.provider} reports ${fact.kind} of ${amountText(fact)} while the payment is ${next.status} in ${next.state}`;
  return openCase(change, "UNEXPECTED_FACT", text, fact);
}
