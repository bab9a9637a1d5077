import { type ErrorReason, type FieldViolation, hasReason } from "../../shared/kernel/errors";
import { isExternalId } from "../../shared/kernel/external-id";
import { type Money, money, type Rate } from "../../shared/kernel/money";
import { parity } from "../domain/conversion";
import { feeMinor, type Terms } from "../domain/fees";
import { commandOf } from "../domain/intent-command";
import type { PaymentCommand, PaymentIdentity } from "../domain/payment-command";
import type { PaymentIntent } from "../domain/payment-intent";
import { differentFields, usedFor } from "../domain/same-content";
import { quoteUsed, yieldsToUsedQuote } from "../domain/used-quote";
import type { DetailsRules } from "../ports";
import type { PaymentStore } from "../store/payment-store";
import type { AppraisePayment } from "./appraise-payment";
import { checkIntent, type PaymentRequest } from "./check-intent";

export interface ValidatePaymentDeps {
  payments: Pick<PaymentStore, "findAnswer" | "findQuoteUse">;
  rules: DetailsRules;
  appraise: AppraisePayment;
}

/** One reason why a payment would be refused. */
export interface Problem extends FieldViolation {
  reason: ErrorReason;
}

/** What would be collected and paid out, and at which rate. */
export interface Price {
  amount: Money;
  recipientAmount: Money;
  rate: Rate;
}

/** A fee that the tenant would be charged. */
export interface ExpectedFee {
  eventId: "PRE_AUTH" | "CAPTURE";
  amount: Money;
}

/** What would become of a payment with a valid id and valid fields. */
interface Prospect {
  problems: readonly Problem[];
  price: Price | undefined;
  fees: readonly ExpectedFee[];
}

export interface Validation extends Prospect, KnownId {
  /** Fields that look mistyped; a payment is not refused for them. */
  advice: readonly FieldViolation[];
}

/** With `fieldsOnly`, cards, quote, limits and funds are not checked. */
export type ValidatePayment = (request: PaymentRequest & { fieldsOnly: boolean }) => Promise<Validation>;

/**
 * Returns the problems of a payment, its price and its fees, by the same checks as an acceptance. It only reads: nothing is claimed,
 * stored or sent. A payment that was accepted before under the same id has no problems.
 */
export const makeValidatePayment =
  (deps: ValidatePaymentDeps): ValidatePayment =>
  async ({ fieldsOnly, ...request }) => {
    const { identity, intent } = request;
    const id = await lookUp(deps.payments, identity);
    // A payment that was accepted before is answered as it was then.
    const isRepeat = id.isKnown && id.differentFields.length === 0;
    const violations = isRepeat ? [] : await checkIntent(deps.rules, request);
    const advice = await deps.rules.advise(intent);
    const problems = [...conflictOf(id), ...violations.map(withReason("INVALID_ARGUMENT"))];
    if (problems.length > 0 || id.isKnown || fieldsOnly) return { problems, price: undefined, fees: [], advice, ...id };
    return { ...(await appraised(deps, commandOf(identity, intent), intent)), advice, ...id };
  };

/** Whether the id is free, or used by the same content or by other content. */
interface KnownId {
  isKnown: boolean;
  differentFields: readonly string[];
}

async function lookUp(
  payments: ValidatePaymentDeps["payments"],
  { tenant, externalId, hashes }: PaymentIdentity,
): Promise<KnownId> {
  const earlier = isExternalId(externalId) ? await payments.findAnswer(tenant, externalId) : undefined;
  if (earlier === undefined) return { isKnown: false, differentFields: [] };
  return { isKnown: true, differentFields: differentFields(earlier.content, hashes) };
}

const conflictOf = ({ differentFields: fields }: KnownId): Problem[] =>
  fields.length === 0 ? [] : [{ reason: "IDEMPOTENCY_CONFLICT", field: "externalPaymentId", message: usedFor(fields) }];

/** Returns the price and the fees, or the problems for which an acceptance would refuse the payment. */
async function appraised(
  { payments, appraise }: ValidatePaymentDeps,
  command: PaymentCommand,
  intent: PaymentIntent,
): Promise<Prospect> {
  const { tenant, amount, payout } = command;
  const isQuoteUsed = async (): Promise<boolean> =>
    payout?.quoteId !== undefined && (await payments.findQuoteUse(tenant, payout.quoteId)) !== undefined;
  try {
    const { payoutAmount, quote, terms } = await appraise(command, intent, "preview");
    if (await isQuoteUsed()) return refused(problemsOf(quoteUsed()));
    const rate = quote?.rate ?? parity;
    const price = payoutAmount === undefined ? undefined : { amount, recipientAmount: payoutAmount, rate };
    return { problems: [], price, fees: feesOf(terms, command) };
  } catch (error) {
    const isOfQuote = yieldsToUsedQuote(error) && (await isQuoteUsed());
    return refused(problemsOf(isOfQuote ? quoteUsed() : error));
  }
}

const refused = (problems: Problem[]): Prospect => ({ problems, price: undefined, fees: [] });

/** Returns the field for a refusal that names none itself. */
function fieldOf(error: unknown): string {
  if (hasReason(error, "NO_ROUTE")) return "recipient";
  return hasReason(error, "FUNDS_TOO_LOW", "LIMIT_EXCEEDED") ? "amount.total" : "fxId";
}

/** Returns the fees of the payment if it succeeds. */
function feesOf({ fees }: Terms, { type, amount }: PaymentCommand): ExpectedFee[] {
  const events = type === "PUSH" ? (["CAPTURE"] as const) : (["PRE_AUTH", "CAPTURE"] as const);
  return events
    .map((eventId) => ({ eventId, amount: money(feeMinor(fees[eventId], amount.minor), amount.currency) }))
    .filter((fee) => fee.amount.minor > 0n);
}

const withReason =
  (reason: ErrorReason) =>
  (violation: FieldViolation): Problem => ({ reason, ...violation });

/** Returns a refusal as problems, with a field where it names none itself. Throws anything that is not a refusal. */
function problemsOf(error: unknown): Problem[] {
  const isRefusal = hasReason(
    error,
    "INVALID_ARGUMENT",
    "IDEMPOTENCY_CONFLICT",
    "NO_ROUTE",
    "QUOTE_EXPIRED",
    "QUOTE_UNUSABLE",
    "QUOTE_MISMATCH",
    "LIMIT_EXCEEDED",
    "FUNDS_TOO_LOW",
  );
  if (!isRefusal) throw error;
  const { reason, message, violations } = error;
  return violations.length === 0 ? [{ reason, field: fieldOf(error), message }] : violations.map(withReason(reason));
}
