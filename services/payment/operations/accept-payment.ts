import type { Clock } from "../../shared/clock";
import { DomainError, hasReason, invalid } from "../../shared/errors";
import { derivedUuid } from "../../shared/ids";
import type { CardTokens } from "../check-ports";
import { firstAnswer } from "../domain/answers";
import { type ClaimedQuote, marginMinor, payoutAmount } from "../domain/conversion";
import type { Terms } from "../domain/fees";
import { type AgentLimits, sharesOf } from "../domain/limits";
import { createPayment } from "../domain/new-payment";
import { feeMethod, newPull } from "../domain/new-pull";
import type { Payload } from "../domain/payload-shape";
import type { Change, Payment, Payout } from "../domain/payment";
import {
  type Body,
  cardTokensOf,
  identify,
  type PaymentCommand,
  type PaymentIdentity,
  type PayoutOrder,
  requireSameContent,
  toCommand,
} from "../domain/payment-request";
import { checkPayload } from "../payload-checker";
import type { FundedRail, Quotes, Routes, Schemas } from "../ports";
import type { LimitStore } from "../store/limit-store";
import type { PaymentStore, StoredAnswer } from "../store/payment-store";

export interface AcceptPaymentDeps {
  payments: Pick<PaymentStore, "findAnswer" | "insert">;
  limits: Pick<LimitStore, "insertWithin">;
  limitsOf(tenant: string): AgentLimits;
  schemas: Schemas;
  quotes: Quotes;
  cardTokens: CardTokens;
  routes: Routes;
  clock: Clock;
  /** What was agreed with the tenant about a method. */
  termsOf(tenant: string, method: string): Terms;
  /** Carries the stored payment on; resolved when it waits or rests. */
  proceed(payment: Payment): Promise<void>;
  traceparent(): string;
  pause(ms: number): Promise<void>;
}

export interface Acceptance {
  answer: Buffer;
  replayed: boolean;
}

/** `agentId` is the agent through whose door the payment comes; its limits then apply. */
export type AcceptPayment = (tenant: string, body: Body, agentId?: string) => Promise<Acceptance>;

/**
 * Accepts a payment, or refuses it and stores nothing. The payment's id follows from tenant, externalPaymentId and content,
 * so that a repeat claims the same quote again, while a rival with the same externalPaymentId and other content cannot touch
 * it. Two repeats at once meet at the unique key: one stores, the other answers from it. A pull is answered when its
 * provider has decided, has asked for a challenge, or has not answered in time.
 */
export function makeAcceptPayment(deps: AcceptPaymentDeps): AcceptPayment {
  const running = new Map<string, Promise<unknown>>();
  return async (tenant, body, agentId) => {
    const identity = identify(tenant, body, agentId);
    const key = JSON.stringify([tenant, identity.externalId]);
    // Repeats that come while the first still runs here wait for it, and then find its answer.
    await running.get(key);
    const work = accept(deps, identity, body);
    const ended = work.then(
      () => {},
      () => {},
    );
    running.set(key, ended);
    void ended.then(() => running.get(key) === ended && running.delete(key));
    return work;
  };
}

async function accept(deps: AcceptPaymentDeps, identity: PaymentIdentity, body: Body): Promise<Acceptance> {
  const earlier = await deps.payments.findAnswer(identity.tenant, identity.externalId);
  if (earlier !== undefined) return replay(deps, earlier, identity, body);
  const payload = await checkPayload(deps.schemas, body.value);
  if (payload.violations.length > 0) throw invalid(payload.violations);
  const command = toCommand(identity, payload, body);
  await requireKnownCards(deps.cardTokens, payload);
  const { change, funds } = await price(deps, command);
  const isFirst = await store(deps, change, funds, identity);
  if (!isFirst) return replay(deps, await winnerOf(deps, identity), identity, body);
  const proceeding = deps.proceed(change.next);
  if (change.next.answer !== undefined) return { answer: Buffer.from(change.next.answer), replayed: false };
  await proceeding;
  const { answer } = await winnerOf(deps, identity, hasAnswer);
  return { answer: requireAnswer(answer), replayed: false };
}

/** Before anything is claimed or stored. Throws INVALID_ARGUMENT for each token that is no card's. */
async function requireKnownCards(cardTokens: CardTokens, payload: Payload): Promise<void> {
  const asked = await Promise.all(
    cardTokensOf(payload).map(async ({ field, token }) => ({ field, isKnown: await cardTokens.mayExist(token) })),
  );
  const unknown = asked.filter(({ isKnown }) => !isKnown);
  if (unknown.length > 0) throw invalid(unknown.map(({ field }) => ({ field, message: "must be a known card token" })));
}

/**
 * Answers from the stored payment. With other content it refuses; a quote that this content may have claimed goes back,
 * since no payment with it can be stored any more.
 */
async function replay(
  deps: AcceptPaymentDeps,
  earlier: StoredAnswer,
  identity: PaymentIdentity,
  body: Body,
): Promise<Acceptance> {
  try {
    requireSameContent(earlier.hashes, identity.hashes);
  } catch (error) {
    const quoteId = body.value["fxId"];
    if (typeof quoteId === "string" && quoteId !== "")
      await deps.quotes.release(identity.tenant, quoteId, paymentIdOf(identity));
    throw error;
  }
  const { answer } = earlier.answer === undefined ? await winnerOf(deps, identity, hasAnswer) : earlier;
  return { answer: requireAnswer(answer), replayed: true };
}

/** How long a duplicate waits for the answer of the request that was first. */
const winnerPatienceMs = 5_000;
const winnerPollMs = 50;

const hasAnswer = ({ answer }: StoredAnswer): boolean => answer !== undefined;

function requireAnswer(answer: Buffer | undefined): Buffer {
  if (answer === undefined) throw new DomainError("REQUEST_RUNNING", "the same request is still running");
  return answer;
}

/** Waits for what another request with the same id stores: as soon as a majority of the store has it, it is there. */
async function winnerOf(
  { payments, pause }: AcceptPaymentDeps,
  identity: PaymentIdentity,
  isEnough: (stored: StoredAnswer) => boolean = () => true,
): Promise<StoredAnswer> {
  for (let waitedMs = 0; waitedMs < winnerPatienceMs; waitedMs += winnerPollMs) {
    const winner = await payments.findAnswer(identity.tenant, identity.externalId);
    if (winner !== undefined && isEnough(winner)) return winner;
    await pause(winnerPollMs);
  }
  throw new DomainError("REQUEST_RUNNING", "the same request is still running");
}

/** The same request has the same id on every attempt; another content under the same externalPaymentId has another one. */
const paymentIdOf = ({ tenant, externalId, hashes }: PaymentIdentity): string =>
  derivedUuid("payment", tenant, externalId, JSON.stringify(hashes));

/**
 * Stores the payment, which from then on is the record of what it was promised; or gives the promise back. False when its id
 * is taken. Throws LIMIT_EXCEEDED for an agent that has sent as much as it may.
 */
async function store(
  deps: AcceptPaymentDeps,
  change: Change,
  funds: FundedRail | undefined,
  { hashes }: PaymentIdentity,
): Promise<boolean> {
  const { id, tenant, quoteId } = change.next;
  try {
    const isFirst = await insert(deps, change, hashes);
    if (isFirst) funds?.keep();
    else funds?.giveBack();
    return isFirst;
  } catch (error) {
    if (hasReason(error, "LIMIT_EXCEEDED")) {
      funds?.giveBack();
      if (quoteId !== undefined) await deps.quotes.release(tenant, quoteId, id);
    } else {
      // Nobody knows whether the payment is stored, so its funds count as promised.
      funds?.keep();
    }
    throw error;
  }
}

/** An agent's payment uses up its limits in the transaction that stores it. */
function insert(deps: AcceptPaymentDeps, change: Change, hashes: Record<string, string>): Promise<boolean> {
  const { tenant, agent, amount, createdAt } = change.next;
  if (agent === undefined) return deps.payments.insert(change, hashes);
  const shares = sharesOf(deps.limitsOf(tenant), { tenant, agentId: agent.id, amount, at: createdAt });
  return deps.limits.insertWithin(shares, (tx) => deps.payments.insert(change, hashes, tx));
}

/** Binds the quote and builds the payment. A quote that does not fit is given back. */
async function price(
  deps: AcceptPaymentDeps,
  command: PaymentCommand,
): Promise<{ change: Change; funds: FundedRail | undefined }> {
  const id = paymentIdOf(command);
  const pull = command.pull === undefined ? undefined : newPull(command.pull, command.amount);
  const quote = await quoteOf(deps, command, id);
  try {
    const [payout, funds] =
      command.payout === undefined ? [] : await payoutOf(deps, command, command.payout, id, quote);
    const { type, tenant, externalId, amount, ipAddress, payer } = command;
    const change = createPayment({
      id,
      type,
      tenant,
      externalId,
      agent: command.agent,
      amount,
      quoteId: quote?.quoteId,
      marginMinor: marginMinor(amount, quote),
      ipAddress,
      payer,
      terms: deps.termsOf(tenant, feeMethod(command)),
      pull,
      payout,
      createdAt: deps.clock.now(),
      traceparent: deps.traceparent(),
    });
    // A pull is answered when its provider has decided.
    const answer = type === "PULL" ? undefined : firstAnswer(change.next);
    return { change: { ...change, next: { ...change.next, answer } }, funds };
  } catch (error) {
    if (quote !== undefined) await deps.quotes.release(command.tenant, quote.quoteId, id);
    throw error;
  }
}

async function quoteOf(
  deps: AcceptPaymentDeps,
  command: PaymentCommand,
  id: string,
): Promise<ClaimedQuote | undefined> {
  const { tenant, payout, amount } = command;
  if (payout === undefined) return undefined;
  if (payout.quoteId !== undefined) return deps.quotes.claim(tenant, payout.quoteId, id);
  if (!payout.isIndicative) return undefined;
  return deps.quotes.price({ tenant, paymentId: id, source: amount.currency, order: payout });
}

async function payoutOf(
  deps: AcceptPaymentDeps,
  command: PaymentCommand,
  order: PayoutOrder,
  reference: string,
  quote: ClaimedQuote | undefined,
): Promise<[Payout, FundedRail]> {
  const amount = payoutAmount(command.amount, order, quote);
  const funds = await deps.routes.railFor(command.tenant, order, amount);
  const { countryCode, method, account, recipientName, recipientDocument, purpose } = order;
  const payout = {
    rail: funds.rail,
    reference,
    amount,
    countryCode,
    method,
    account,
    recipientName,
    recipientDocument,
    purpose,
    narrative: command.narrative,
    railId: undefined,
    receipt: undefined,
    paidMinor: 0n,
    returnedMinor: 0n,
  };
  return [payout, funds];
}
