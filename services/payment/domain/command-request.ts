import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import { decodeUtf8, type ParsedJson, parseJsonObject } from "../../shared/kernel/json";
import { type Decimal, parseDecimal } from "../../shared/kernel/money";

/** What a caller asks with a capture: everything unless an amount is named. */
export interface AmountRequest {
  amount: Decimal | undefined;
}

/** What a caller asks with a refund. */
export interface RefundRequest extends AmountRequest {
  externalId: string;
  reason: string | undefined;
}

const maxReason = 255;

/** Reads the body of a capture; no body at all captures everything. Throws INVALID_ARGUMENT. */
export function readAmountBody(bytes: Uint8Array): AmountRequest {
  const { value, numbers } = parseJsonObject(bytes.length === 0 ? "{}" : decodeUtf8(bytes));
  const violations: FieldViolation[] = [];
  const amount = amountOf(value["amount"], numbers, violations);
  if (violations.length > 0) throw invalid(violations);
  return { amount };
}

/** Reads the body of a refund. Throws INVALID_ARGUMENT with every wrong field. */
export function readRefundBody(bytes: Uint8Array): RefundRequest {
  const { value, numbers } = parseJsonObject(decodeUtf8(bytes));
  const violations: FieldViolation[] = [];
  const { externalRefundId: externalId, reason } = value;
  const isId = isExternalId(externalId);
  if (!isId)
    violations.push({ field: "externalRefundId", message: externalId === undefined ? "is required" : externalIdRule });
  const isReason = reason === undefined || (typeof reason === "string" && reason.length <= maxReason);
  if (!isReason) violations.push({ field: "reason", message: `must be a text of at most ${maxReason} characters` });
  const amount = amountOf(value["amount"], numbers, violations);
  if (violations.length > 0 || !isId || !isReason) throw invalid(violations);
  return { externalId, reason, amount };
}

function amountOf(value: unknown, numbers: ParsedJson["numbers"], violations: FieldViolation[]): Decimal | undefined {
  if (value === undefined) return undefined;
  const amount = parseDecimal(numbers.get("amount") ?? "");
  if (amount === undefined) {
    violations.push({ field: "amount", message: "must be a plain decimal number, not negative, without exponent" });
  }
  return amount;
}
