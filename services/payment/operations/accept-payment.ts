import { DomainError, hasReason, invalid } from "../../shared/kernel/errors";
import { isExternalId } from "../../shared/kernel/external-id";
import { marginMinor } from "../domain/conversion";
import { commandOf } from "../domain/intent-command";
import { createPayment } from "../domain/new-payment";
import { newPull } from "../domain/new-pull";
import type { Change, Payment, Payout } from "../domain/payment";
import { type PaymentCommand, type PaymentIdentity, paymentIdOf } from "../domain/payment-command";
import { isAnswerable, type PaymentReceipt, type ReceiptFacts, receiptFacts, receiptOf } from "../domain/receipt";
import { requireSameContent } from "../domain/same-content";
import { requireLegs } from "../domain/typed-legs";
import { quoteUsed, yieldsToUsedQuote } from "../domain/used-quote";
import type { DetailsRules } from "../ports";
import type { InsertResult, StoredAnswer } from "../store/acceptances";
import type { LimitStore } from "../store/limit-store";
import type { LostPayments } from "../store/lost-payment-store";
import type { PaymentStore } from "../store/payment-store";
import type { Appraisal, AppraisePayment } from "./appraise-payment";
import { checkIntent, type PaymentRequest } from "./check-intent";
import { awaitFirstAnswer, awaitStored, awaitWork, makePatience, type Patience } from "./first-answer";

export interface AcceptPaymentDeps {
  payments: Pick<PaymentStore, "find" | "findAnswer" | "findQuoteUse" | "insert" | "keepAnswer">;
  limits: Pick<LimitStore, "insertWithin">;
  /** Has the relay look for events that were stored in a transaction. */
  nudgeRelay(): void;
  rules: Pick<DetailsRules, "check">;
  /** Payments that a restore has lost and a provider may have. */
  lost: LostPayments;
  appraise: AppraisePayment;
  /** Carries on the stored payment; resolves when the payment waits or rests. */
  proceed(payment: Payment): Promise<void>;
  /** Throws while this process's clock is not to be trusted. */
  requireClock(): Promise<void>;
  traceparent(): string;
  pause(ms: number): Promise<void>;
}

export interface Acceptance {
  receipt: PaymentReceipt;
  replayed: boolean;
}

/** `form` is the form in which the caller will show the receipt. */
export type AcceptPayment = (request: PaymentRequest & { form: number }) => Promise<Acceptance>;

/**
 * Accepts a payment, or refuses it and stores nothing. The payment's id follows from tenant, externalPaymentId and content. Of requests
 * with the same id, and of payments with the same quote, the write that stores the payment lets one win. A refusal is answered only after
 * the id has been looked up once more, since the same request, handled elsewhere, may have used up what this one is refused for. A
 * payment that collects is answered when its provider has decided, has asked for a challenge, or has not answered in time.
 */
export function makeAcceptPayment(deps: AcceptPaymentDeps): AcceptPayment {
  const running = new Map<string, Promise<unknown>>();
  return async (request) => {
    const { tenant, externalId } = request.identity;
    // Without a valid id nothing can be looked up, so every violation is answered at once.
    if (!isExternalId(externalId)) throw invalid(await checkIntent(deps.rules, request));
    const patience = makePatience(deps.pause);
    const key = JSON.stringify([tenant, externalId]);
    // Repeats that arrive while the first request still runs in this process wait for it, and then find its answer.
    const first = running.get(key);
    if (first !== undefined) await awaitWork(first, patience);
    const work = accept(deps, { ...request, patience });
    const ended = work.then(
      () => {},
      () => {},
    );
    running.set(key, ended);
    void ended.then(() => running.get(key) === ended && running.delete(key));
    return work;
  };
}

/** A request that is being handled. */
interface Request extends PaymentRequest {
  form: number;
  patience: Patience;
}

async function accept(deps: AcceptPaymentDeps, request: Request): Promise<Acceptance> {
  const earlier = await findStored(deps, request);
  if (earlier !== undefined) return replay(deps, request, earlier);
  const outcome = await decide(deps, request).catch((error: unknown) => ({ refusal: error }));
  if ("refusal" in outcome) return replay(deps, request, await storedDespite(deps, request, outcome.refusal));
  if (outcome.result !== "stored")
    return replay(deps, request, await awaitStored(deps, request.identity, request.patience));
  const { payment, answer: known } = outcome;
  const proceeding = deps.proceed(payment);
  if (known !== undefined) return { receipt: receiptOf(payment, known), replayed: false };
  // A pull's answer is certain when it waits or rests; the answer of another collecting payment is certain long before that. The request
  // waits for its own work without a limit, and its patience for other requests begins when that work ends.
  if (payment.type === "PULL") await proceeding;
  const answer = await awaitFirstAnswer(deps, { ...payment, form: request.form }, makePatience(deps.pause), proceeding);
  return { receipt: receiptOf(payment, answer), replayed: false };
}

const findStored = (
  { payments }: Pick<AcceptPaymentDeps, "payments">,
  { identity }: Request,
): Promise<StoredAnswer | undefined> => payments.findAnswer(identity.tenant, identity.externalId);

/** Answers from the stored payment. Throws IDEMPOTENCY_CONFLICT for other content. */
async function replay(
  deps: AcceptPaymentDeps,
  { identity, form, patience }: Request,
  stored: StoredAnswer,
): Promise<Acceptance> {
  requireSameContent(stored.content, identity.hashes);
  const answer = stored.answer ?? (await awaitFirstAnswer(deps, { id: stored.id, form }, patience));
  return { receipt: receiptOf(stored, answer), replayed: true };
}

/**
 * Returns what is stored under the id of a refused request, and throws the refusal when nothing is. Funds are refused only after every
 * process that held some has stored the payments they were promised to, or released them; by then the same request sent elsewhere is
 * stored. A payment whose quote another payment has used is refused for its quote, even if stored state gives other reasons too.
 */
async function storedDespite(deps: AcceptPaymentDeps, request: Request, refusal: unknown): Promise<StoredAnswer> {
  if (!(refusal instanceof DomainError)) throw refusal;
  const { quoteId = "" } = request.intent.payout ?? {};
  const isOfQuote = quoteId !== "" && yieldsToUsedQuote(refusal);
  // The quote is looked up first: when the same request has used it elsewhere, that request's payment is found below.
  const user = isOfQuote ? await deps.payments.findQuoteUse(request.identity.tenant, quoteId) : undefined;
  const stored = await findStored(deps, request);
  if (stored !== undefined) return stored;
  throw user === undefined ? refusal : quoteUsed();
}

/** The payment as it was stored, with its answer if that is certain already; or the reason why it was not stored. */
type Decision = { result: "stored"; payment: Payment; answer: ReceiptFacts | undefined } | { result: "id-taken" };

async function decide(deps: AcceptPaymentDeps, request: Request): Promise<Decision> {
  const { identity, intent } = request;
  await deps.requireClock();
  const violations = await checkIntent(deps.rules, request);
  if (violations.length > 0) throw invalid(violations);
  const command = commandOf(identity, intent);
  requireSameAsLost(deps.lost, identity);
  const appraisal = await deps.appraise(command, intent, "acceptance");
  const { change, answer } = draft(deps, request, command, appraisal);
  const result = await store(deps, { change, answer, identity, appraisal });
  if (result === "stored") return { result, payment: change.next, answer };
  if (result === "quote-taken") await requireTwin(deps, request, change.next.quoteId ?? "");
  if (result === "promise-lost") throw new DomainError("UNAVAILABLE", "the funds of the payment were given back");
  return { result: "id-taken" };
}

/**
 * Throws IDEMPOTENCY_CONFLICT for content other than the lost payment's. The provider of a lost payment knows it by its id, so only the
 * same content is the same instruction there.
 */
function requireSameAsLost(lost: LostPayments, identity: PaymentIdentity): void {
  const known = lost.idOf(identity.tenant, identity.externalId);
  if (known === undefined || known === paymentIdOf(identity)) return;
  const why = "externalPaymentId was used with different content before the platform was restored";
  throw new DomainError("IDEMPOTENCY_CONFLICT", why, { details: { fields: [] } });
}

/** Makes the payment and its answer. What was promised to the payment is given back when either cannot be made. */
function draft(deps: AcceptPaymentDeps, { form }: Request, command: PaymentCommand, appraisal: Appraisal) {
  try {
    const change = paymentOf(deps, command, appraisal);
    return { change, answer: isAnswerable(change.next) ? receiptFacts(change.next, form) : undefined };
  } catch (error) {
    appraisal.funds?.release();
    throw error;
  }
}

/**
 * Throws QUOTE_UNUSABLE when the quote was taken by another payment. It may also have been taken by this payment, when the same request
 * was faster elsewhere.
 */
async function requireTwin(
  { payments }: AcceptPaymentDeps,
  { identity: { tenant, externalId }, patience }: Request,
  quoteId: string,
): Promise<void> {
  for (;;) {
    // The other write has won, and its payment becomes readable shortly.
    const user = await payments.findQuoteUse(tenant, quoteId);
    if (user !== undefined && user.externalId !== externalId) throw quoteUsed();
    if (user !== undefined) return;
    await patience.wait();
  }
}

/** What is to be stored. */
interface Draft {
  change: Change;
  answer: ReceiptFacts | undefined;
  identity: PaymentIdentity;
  appraisal: Appraisal;
}

/**
 * Stores the payment, which is the record of its promises from then on; or gives the promises back. An agent's payment uses up its limits
 * in the same transaction. Throws LIMIT_EXCEEDED for an agent that has sent as much as it may.
 */
async function store(deps: AcceptPaymentDeps, { change, answer, identity, appraisal }: Draft): Promise<InsertResult> {
  const { funds, shares } = appraisal;
  const { hashes } = identity;
  try {
    const result = await (shares.length === 0
      ? deps.payments.insert(change, { hashes, answer })
      : deps.limits.insertWithin(shares, (tx) => deps.payments.insert(change, { hashes, answer }, tx)));
    if (result === "stored" && shares.length > 0) deps.nudgeRelay();
    if (result === "stored") funds?.commit();
    else if (result === "promise-lost") funds?.lose();
    else funds?.release();
    return result;
  } catch (error) {
    if (hasReason(error, "LIMIT_EXCEEDED")) funds?.release();
    else funds?.doubt();
    throw error;
  }
}

function paymentOf(deps: AcceptPaymentDeps, command: PaymentCommand, appraisal: Appraisal): Change {
  const id = paymentIdOf(command);
  const { type, tenant, externalId, agent, amount, ipAddress, sender, pull } = command;
  const { quote, terms, at } = appraisal;
  return createPayment({
    ...requireLegs(type, pull && newPull(pull, amount), payoutOf(command, appraisal, id)),
    id,
    tenant,
    externalId,
    agent,
    amount,
    quoteId: quote?.quoteId,
    marginMinor: marginMinor(amount, quote),
    ipAddress,
    sender,
    terms,
    promises: appraisal.funds?.promises ?? [],
    createdAt: at,
    traceparent: deps.traceparent(),
  });
}

function payoutOf(
  { payout: order }: PaymentCommand,
  { payoutAmount: amount, funds }: Appraisal,
  reference: string,
): Payout | undefined {
  if (order === undefined || amount === undefined || funds === undefined) return undefined;
  const { countryCode, method, recipient, texts } = order;
  return {
    rail: funds.rail,
    reference,
    amount,
    countryCode,
    method,
    recipient,
    texts,
    railId: undefined,
    receipt: undefined,
    paidMinor: 0n,
    returnedMinor: 0n,
  };
}
