import { type ErrorReason, type FieldViolation, hasReason } from "../../shared/errors";
import { type Money, money, type Rate } from "../../shared/money";
import { parity, payoutAmount } from "../domain/conversion";
import { feeMinor, type Terms } from "../domain/fees";
import { feeMethod } from "../domain/new-pull";
import { type Body, identify, type PaymentCommand, requireSameContent, toCommand } from "../domain/payment-request";
import { adviseOnPayload, type CheckedPayload, checkPayload } from "../payload-checker";
import type { Quotes, Schemas } from "../ports";
import type { PaymentStore } from "../store/payment-store";

export interface ValidatePaymentDeps {
  payments: Pick<PaymentStore, "findAnswer">;
  schemas: Schemas;
  quotes: Pick<Quotes, "find">;
  termsOf(tenant: string, method: string): Terms;
}

/** One reason why a payment would be refused. */
export interface Problem extends FieldViolation {
  reason: ErrorReason;
}

/** What would be taken and paid out, at which rate. */
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

export interface Validation {
  problems: readonly Problem[];
  price: Price | undefined;
  fees: readonly ExpectedFee[];
  /** What looks mistyped; a payment is not refused for it. */
  advice: readonly FieldViolation[];
}

export type ValidatePayment = (tenant: string, body: Body) => Promise<Validation>;

/**
 * Answers everything that is wrong with a payment of any shape, and its price where a quote fixes it. It only reads: nothing
 * is claimed, stored or sent. A body that was accepted before under the same id has no problems.
 */
export const makeValidatePayment =
  (deps: ValidatePaymentDeps): ValidatePayment =>
  async (tenant, body) => {
    const { payload, ...schemas } = await problemsOfSchemas(deps.schemas, body);
    const id = await problemsOfId(deps.payments, tenant, body);
    const amounts = readAmounts(tenant, body, payload);
    const found = unique([...id.problems, ...schemas.problems, ...amounts.problems]);
    const advice = await adviseOnPayload(deps.schemas, payload);
    const { command } = amounts;
    if (found.length > 0 || id.isKnown || command === undefined)
      return { problems: found, price: undefined, fees: [], advice };
    return { ...(await priceOf(deps, command)), advice };
  };

async function problemsOfSchemas(
  schemas: Schemas,
  body: Body,
): Promise<{ payload: CheckedPayload; problems: Problem[] }> {
  const payload = await checkPayload(schemas, body.value);
  return { payload, problems: payload.violations.map(withReason("INVALID_ARGUMENT")) };
}

/** Whether the id is free, or taken by the same content or by other content. */
async function problemsOfId(
  payments: ValidatePaymentDeps["payments"],
  tenant: string,
  body: Body,
): Promise<{ isKnown: boolean; problems: Problem[] }> {
  try {
    const identity = identify(tenant, body);
    const earlier = await payments.findAnswer(tenant, identity.externalId);
    if (earlier !== undefined) requireSameContent(earlier.hashes, identity.hashes);
    return { isKnown: earlier !== undefined, problems: [] };
  } catch (error) {
    return { isKnown: false, problems: problemsOf(error, "externalPaymentId") };
  }
}

/** Reads the exact amounts. In the customer shape a missing quote is no problem: the platform prices it. */
function readAmounts(
  tenant: string,
  body: Body,
  payload: CheckedPayload,
): { command: PaymentCommand | undefined; problems: Problem[] } {
  if (payload.violations.length > 0) return { command: undefined, problems: [] };
  try {
    return { command: toCommand(identify(tenant, body), payload, body), problems: [] };
  } catch (error) {
    return { command: undefined, problems: problemsOf(error, "amount") };
  }
}

/** A price where a quote fixes it, and always the fees. */
async function priceOf(deps: ValidatePaymentDeps, command: PaymentCommand): Promise<Omit<Validation, "advice">> {
  const { tenant, amount, payout } = command;
  const fees = feesOf(deps.termsOf(tenant, feeMethod(command)), command);
  if (payout === undefined || payout.isIndicative) return { problems: [], price: undefined, fees };
  try {
    const quote = payout.quoteId === undefined ? undefined : await deps.quotes.find(tenant, payout.quoteId);
    const recipientAmount = payoutAmount(amount, payout, quote);
    return { problems: [], price: { amount, recipientAmount, rate: quote?.rate ?? parity }, fees };
  } catch (error) {
    return { problems: problemsOf(error, "fxId"), price: undefined, fees: [] };
  }
}

/** What the payment would cost if all goes well. */
function feesOf({ fees }: Terms, { type, amount }: PaymentCommand): ExpectedFee[] {
  const events = type === "PUSH" ? (["CAPTURE"] as const) : (["PRE_AUTH", "CAPTURE"] as const);
  return events
    .map((eventId) => ({ eventId, amount: money(feeMinor(fees[eventId], amount.minor), amount.currency) }))
    .filter((fee) => fee.amount.minor > 0n);
}

const withReason =
  (reason: ErrorReason) =>
  (violation: FieldViolation): Problem => ({ reason, ...violation });

/** A refusal as problems; one that names no field is a problem of `field`. Anything but the caller's mistake goes on. */
function problemsOf(error: unknown, field: string): Problem[] {
  const isCallers = hasReason(
    error,
    "INVALID_ARGUMENT",
    "IDEMPOTENCY_CONFLICT",
    "QUOTE_EXPIRED",
    "QUOTE_UNUSABLE",
    "QUOTE_MISMATCH",
  );
  if (!isCallers) throw error;
  const { reason, message, violations } = error;
  return violations.length === 0 ? [{ reason, field, message }] : violations.map(withReason(reason));
}

/** One problem for each field and reason: the schemas and the id's own rule may both find one. */
function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.reason} ${problem.field}`, problem])).values()];
}
