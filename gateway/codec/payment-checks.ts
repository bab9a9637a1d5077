import type { Problem, ValidatePaymentResponse } from "../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError, errorReasons, type FieldViolation, invalid } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatDecimal } from "../../services/shared/kernel/money";
import { besides } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { expectedFees, type paymentValidation } from "../contract/payment-receipt";
import { amountJson } from "../render-amount";
import { publicErrors } from "../render-error";
import { knownWord } from "./known-word";
import type { PaymentBody } from "./payment-intent";
import { paymentWords } from "./payment-words";

/** Runs work that may refuse a payment; a refusal uses the body's names for its fields. */
export async function inCallersWords<T>(body: PaymentBody, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.violations.length === 0) throw error;
    const violations = renamed(body, error.violations);
    const { reason, message, details } = error;
    throw reason === "INVALID_ARGUMENT"
      ? invalid(violations)
      : new DomainError(reason, message, { violations, details });
  }
}

/** Returns the same violations with the body's names for their fields. */
function renamed<V extends FieldViolation>(body: PaymentBody, violations: readonly V[]): V[] {
  const words = paymentWords(body);
  return violations.map((violation) => ({ ...violation, field: words(violation.field) }));
}

/**
 * Throws what was found about the fields of a payment that the gateway has refused. A request that breaks a rule can never be the one
 * accepted under its id: if the id was used, the refusal says that.
 */
export function refuseChecked(
  body: PaymentBody,
  known: readonly FieldViolation[],
  found: ValidatePaymentResponse,
): never {
  if (!found.isKnown) throw invalid(renamed(body, found.problems));
  const fields = differing(known, found);
  throw new DomainError("IDEMPOTENCY_CONFLICT", conflictMessage(fields), { details: { fields } });
}

/** Returns the answer of a preflight; `known` holds what the gateway itself would refuse. */
export function renderValidation(
  body: PaymentBody,
  known: readonly FieldViolation[],
  found: ValidatePaymentResponse,
): Answered<typeof paymentValidation> {
  const { price, fees, advice } = found;
  const own = known.map((violation) => ({ ...violation, reason: "INVALID_ARGUMENT" }));
  const problems = [...conflictOf(known, found), ...own, ...besides(known, renamed(body, othersOf(found)))];
  return {
    valid: problems.length === 0,
    errors: problems.map(renderProblem),
    price: price === undefined ? null : renderPrice(price),
    fees: fees.map(({ eventId, amount }) => ({ eventId: knownWord(expectedFees, eventId), ...amountJson(amount) })),
    advice: renamed(body, advice).map(({ field, message }) => ({ field, message })),
  };
}

const conflict = "IDEMPOTENCY_CONFLICT";

function conflictOf(known: readonly FieldViolation[], found: ValidatePaymentResponse): Problem[] {
  const fields = found.isKnown ? differing(known, found) : [];
  return fields.length === 0
    ? []
    : [{ reason: conflict, field: "externalPaymentId", message: conflictMessage(fields) }];
}

const othersOf = ({ problems }: ValidatePaymentResponse): Problem[] =>
  problems.filter(({ reason }) => reason !== conflict);

const maxNamed = 20;

/** Names the parts that differ from the payment that used the id: parts that are refused differ, too. */
function differing(known: readonly FieldViolation[], { differentFields }: ValidatePaymentResponse): readonly string[] {
  const names = [...differentFields, ...known.map(({ field }) => field.split(".")[0] ?? field)];
  return [...new Set(names)].toSorted().slice(0, maxNamed);
}

const conflictMessage = (fields: readonly string[]): string =>
  `externalPaymentId was used with different content: ${fields.join(", ")}`;

function renderProblem({ reason, field, message }: Problem) {
  const known = errorReasons.find((candidate) => candidate === reason) ?? "INVALID_ARGUMENT";
  return { code: publicErrors[known].code, field, message };
}

function renderPrice({ amount, recipientAmount, rate }: NonNullable<ValidatePaymentResponse["price"]>) {
  if (rate === undefined) throw new Error("the price lacks its rate");
  return {
    amount: amountJson(amount),
    recipientAmount: amountJson(recipientAmount),
    exchangeRate: exactNumber(formatDecimal({ digits: rate.mantissa, scale: rate.scale })),
  };
}
