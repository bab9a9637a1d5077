import type { Clock } from "../../shared/kernel/clock";
import { DomainError, hasReason } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { formatMoney } from "../../shared/kernel/money";
import type { Transact } from "../../shared/storage/mongo";
import {
  type DecisionWithReview,
  decideFirst,
  type Embargo,
  type PaymentDecision,
  screenAgain,
} from "../domain/payment-decision";
import { uncleared } from "../domain/review";
import {
  countriesOfParty,
  countryOf,
  factsOfParty,
  namesOfParty,
  type PaymentFacts,
  type PaymentParty,
} from "../domain/screened-payment";
import { type Names, namesOf, type ScreeningHit } from "../domain/screening";
import type { PaymentScreener, ScreenedPayment, Screening } from "../ports";
import type { DecisionStore } from "../store/decision-store";
import type { ExceptionStore } from "../store/exception-store";
import type { ReviewStore } from "../store/review-store";
import { applyVerdict } from "./apply-verdict";

export interface DecidePaymentDeps {
  transact: Transact;
  decisions: DecisionStore;
  reviews: Pick<ReviewStore, "add" | "save" | "find">;
  exceptions: Pick<ExceptionStore, "of">;
  screening: Screening;
  screener: Pick<PaymentScreener, "screen" | "ask">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  traceparent(): string;
  nudgeRelay(): void;
}

/** A payment that asks to proceed. */
export interface PaymentOrder {
  payment: ScreenedPayment;
  sender: Names;
  /** Further facts about the payer and the payee. */
  senderParty: PaymentParty;
  recipientParty: PaymentParty;
  /** False when money is only collected: then the provider is not asked, and the recipient's fields are empty. */
  paysOut: boolean;
  /** True when there is no reason to look for an earlier decision: if there is one, writing this one meets it. */
  isFirst: boolean;
}

export type DecidePayment = (order: PaymentOrder) => Promise<PaymentDecision>;

/**
 * Decides about a payment once, and from then on returns the state of that decision. The provider is asked outside of every transaction,
 * under the payment's own id. Throws UNAVAILABLE, without a decision, while it does not answer.
 */
export const makeDecidePayment =
  (deps: DecidePaymentDeps): DecidePayment =>
  async (order) => {
    const { tenant, paymentId } = order.payment;
    const find = (): Promise<PaymentDecision | undefined> => deps.decisions.find(tenant, paymentId);
    if (order.isFirst) {
      try {
        return await begin(deps, order);
      } catch (error) {
        // An earlier decision stands, even when a source does not answer now.
        const earlier = await find();
        if (earlier === undefined) throw error;
        return goOn(deps, order, earlier);
      }
    }
    const found = await find();
    return found === undefined ? begin(deps, order) : goOn(deps, order, found);
  };

async function begin(deps: DecidePaymentDeps, order: PaymentOrder): Promise<PaymentDecision> {
  if (order.paysOut) requireFresh(deps.screening);
  return first(deps, order);
}

/** Returns the state of an earlier decision. */
async function goOn(deps: DecidePaymentDeps, order: PaymentOrder, found: PaymentDecision): Promise<PaymentDecision> {
  if (order.paysOut && found.status === "APPROVED") requireFresh(deps.screening);
  if (found.status === "APPROVED" && found.listVersion !== deps.screening.version()) return again(deps, order);
  const isOpen = (found.status === "REVIEW" || found.status === "BLOCKED") && found.isFrozen !== true;
  return isOpen && found.provider?.status === "REVIEW" ? askProvider(deps, found) : found;
}

/** No payment is approved under a list that is older than the policy allows. */
function requireFresh(screening: Screening): void {
  const old = screening.tooOld();
  if (old !== undefined)
    throw new DomainError("UNAVAILABLE", `the screening list ${old} is out of date: payments wait until it is updated`);
}

async function first(deps: DecidePaymentDeps, order: PaymentOrder): Promise<PaymentDecision> {
  const { tenant, paymentId } = order.payment;
  const provider = order.paysOut ? await deps.screener.screen(order.payment) : undefined;
  const { hits, listVersion } = deps.screening.screenFor(tenant, ...peopleOf(order));
  const evidence = { provider, embargo: embargoOn(deps, order, hits), hits, listVersion };
  const decided = decideFirst(screenedOf(deps, order), evidence, deps.clock.now());
  try {
    await store(deps, decided);
    return decided.decision;
  } catch (error) {
    if (!hasReason(error, "VERSION_CONFLICT")) throw error;
    if (order.isFirst) throw error;
    const earlier = await deps.decisions.find(tenant, paymentId);
    if (earlier === undefined) throw error;
    return earlier;
  }
}

/** A decision that needs no review is one write. */
async function store(deps: DecidePaymentDeps, { decision, review }: DecisionWithReview): Promise<void> {
  const { decisions, reviews, transact } = deps;
  const traceparent = deps.traceparent();
  if (review === undefined) return decisions.add(decision, traceparent);
  await transact(async (tx) => {
    await decisions.add(decision, traceparent, tx);
    await reviews.add(review, tx);
  });
}

/** Screens an approved payment against the current list, unless another process has done so meanwhile. */
async function again(deps: DecidePaymentDeps, order: PaymentOrder): Promise<PaymentDecision> {
  const { tenant, paymentId } = order.payment;
  const payment = screenedOf(deps, order);
  const { hits, listVersion } = deps.screening.screenFor(tenant, ...peopleOf(order));
  const at = deps.clock.now();
  const result = await deps.transact(async (tx) => {
    const before = await deps.decisions.find(tenant, paymentId, tx);
    if (before === undefined || before.status !== "APPROVED" || before.listVersion === listVersion) return before;
    const cleared = await deps.exceptions.of(tenant, paymentId, tx);
    const open = uncleared(hits, cleared, at);
    const evidence = { provider: before.provider, embargo: embargoOn(deps, order, open), hits: open, listVersion };
    const { decision, review } = screenAgain(before, payment, evidence, at);
    await deps.decisions.save(decision, tx);
    if (review !== undefined) await deps.reviews.add(review, tx);
    return decision;
  });
  deps.nudgeRelay();
  return result ?? first(deps, order);
}

/** A decision that still waits for the provider's: the callback may have been lost. */
async function askProvider(deps: DecidePaymentDeps, found: PaymentDecision): Promise<PaymentDecision> {
  const said = await deps.screener.ask(found.paymentId);
  if (said === undefined || said.status === "REVIEW") return found;
  return (await applyVerdict(deps, found.paymentId, said, deps.clock.now())) ?? found;
}

/** Returns the subjects to look up: both parties and their banks. */
function peopleOf({ sender, senderParty, recipientParty, paysOut, payment }: PaymentOrder): Names[] {
  const payer = namesOfParty(sender, senderParty);
  return paysOut ? [...payer, ...namesOfParty(namesOf(payment.recipientName), recipientParty)] : payer;
}

function embargoOn(
  { screening }: DecidePaymentDeps,
  order: PaymentOrder,
  hits: readonly ScreeningHit[],
): Embargo | undefined {
  const { senderParty, recipientParty, paysOut, payment } = order;
  const paid = paysOut ? [countryOf(payment.recipientCountry), ...countriesOfParty(recipientParty)] : [];
  return screening.embargo([...countriesOfParty(senderParty), ...paid], hits);
}

const screenedOf = ({ ids }: DecidePaymentDeps, order: PaymentOrder) => {
  const { payment, sender, senderParty, recipientParty, paysOut } = order;
  const { paymentId, tenant, amount, recipientName, recipientCountry, narrative } = payment;
  const senderName = [sender.firstName, sender.lastName].filter(Boolean).join(" ");
  const facts: PaymentFacts = {
    ...{ amount: formatMoney(amount), currency: amount.currency, senderName },
    ...known("sender", senderParty),
    ...(paysOut && { recipientName, recipientCountry, narrative, ...known("recipient", recipientParty) }),
  };
  return { paymentId, tenant, facts, reviewId: ids.uuid() };
};

/** Returns the party, if more than its name is known. */
function known<Name extends string>(name: Name, party: PaymentParty): { [_ in Name]?: Partial<PaymentParty> } {
  const facts = factsOfParty(party);
  const isKnown = Object.keys(facts).length > 0;
  return (isKnown ? { [name]: facts } : {}) as { [_ in Name]?: Partial<PaymentParty> };
}
