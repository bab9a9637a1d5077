import { type ErrorReason, type FieldViolation, hasReason } from "../../shared/kernel/errors";
import { type Money, money, type Rate } from "../../shared/kernel/money";
import { parity } from "../domain/conversion";
import { feeMinor, type Terms } from "../domain/fees";
import {
  type Body,
  identify,
  type PaymentCommand,
  type PaymentIdentity,
  requireSameContent,
  toCommand,
} from "../domain/payment-request";
import type { Schemas } from "../ports";
import type { PaymentStore } from "../store/payment-store";
import type { AppraisePayment } from "./appraise-payment";
import { adviseOnPayload, type CheckedPayload, checkPayload } from "./check-payload";

export interface ValidatePaymentDeps {
  payments: Pick<PaymentStore, "findAnswer" | "findQuoteUse">;
  schemas: Schemas;
  appraise: AppraisePayment;
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

/** `agentId` is the agent through whose door the payment would come. */
export type ValidatePayment = (tenant: string, body: Body, agentId?: string) => Promise<Validation>;

/**
 * Answers what is wrong with a payment of any shape, its price and its fees, by the same questions that an acceptance asks.
 * It only reads: nothing is claimed, stored or sent. A body that was accepted before under the same id has no problems.
 */
export const makeValidatePayment =
  (deps: ValidatePaymentDeps): ValidatePayment =>
  async (tenant, body, agentId) => {
    const { payload, ...schemas } = await problemsOfSchemas(deps.schemas, body);
    const id = await problemsOfId(deps.payments, tenant, body, agentId);
    const amounts = readAmounts(id.identity, body, payload);
    const found = unique([...id.problems, ...schemas.problems, ...amounts.problems]);
    const advice = await adviseOnPayload(deps.schemas, payload);
    const { command } = amounts;
    if (found.length > 0 || id.isKnown || command === undefined)
      return { problems: found, price: undefined, fees: [], advice };
    return { ...(await appraised(deps, command, payload)), advice };
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
  agentId: string | undefined,
): Promise<{ identity: PaymentIdentity | undefined; isKnown: boolean; problems: Problem[] }> {
  try {
    const identity = identify(tenant, body, agentId);
    const earlier = await payments.findAnswer(tenant, identity.externalId);
    if (earlier !== undefined) requireSameContent(earlier.hashes, identity.hashes);
    return { identity, isKnown: earlier !== undefined, problems: [] };
  } catch (error) {
    return { identity: undefined, isKnown: false, problems: problemsOf(error, "externalPaymentId") };
  }
}

/** Reads the exact amounts. */
function readAmounts(
  identity: PaymentIdentity | undefined,
  body: Body,
  payload: CheckedPayload,
): { command: PaymentCommand | undefined; problems: Problem[] } {
  if (payload.violations.length > 0 || identity === undefined) return { command: undefined, problems: [] };
  try {
    return { command: toCommand(identity, payload, body), problems: [] };
  } catch (error) {
    return { command: undefined, problems: problemsOf(error, "amount") };
  }
}

/** The price and the fees, or what an acceptance would refuse. */
async function appraised(
  { payments, appraise }: ValidatePaymentDeps,
  command: PaymentCommand,
  payload: CheckedPayload,
): Promise<Omit<Validation, "advice">> {
  const { tenant, amount, payout } = command;
  try {
    const quoteId = payout?.quoteId;
    const isUsed = quoteId !== undefined && (await payments.findQuoteUse(tenant, quoteId)) !== undefined;
    if (isUsed) return refused([{ reason: "QUOTE_UNUSABLE", field: "fxId", message: "is unknown or already used" }]);
    const { payoutAmount, quote, terms } = await appraise(command, payload, "preview");
    const rate = quote?.rate ?? parity;
    const price = payoutAmount === undefined ? undefined : { amount, recipientAmount: payoutAmount, rate };
    return { problems: [], price, fees: feesOf(terms, command) };
  } catch (error) {
    return refused(problemsOf(error, fieldOf(error)));
  }
}

const refused = (problems: Problem[]): Omit<Validation, "advice"> => ({ problems, price: undefined, fees: [] });

/** The field that a refusal is about when it names none itself. */
function fieldOf(error: unknown): string {
  if (hasReason(error, "NO_ROUTE")) return "recipient";
  return hasReason(error, "FUNDS_TOO_LOW", "LIMIT_EXCEEDED") ? "amount.total" : "fxId";
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

/** A refusal as problems; one that names no field is a problem of `field`. Anything but a refusal goes on. */
function problemsOf(error: unknown, field: string): Problem[] {
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
  return violations.length === 0 ? [{ reason, field, message }] : violations.map(withReason(reason));
}

/** One problem for each field and reason: the schemas and the id's own rule may both find one. */
function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.reason} ${problem.field}`, problem])).values()];
}
