import { DomainError, type FieldViolation, invalid } from "../../shared/errors";
import { fieldHashes, type JsonObject, type ParsedJson } from "../../shared/json";
import {
  currencyDigits,
  type Decimal,
  exactMinor,
  type Money,
  money,
  parseDecimal,
  roundedMinor,
  significantDigits,
} from "../../shared/money";
import { at } from "./payload-shape";
import type { Payer } from "./payment";

export type Body = { value: JsonObject; numbers: ParsedJson["numbers"] };

/** Who asks for a payment, under which id, with which content. Enough to find an earlier answer. */
export interface PaymentIdentity {
  tenant: string;
  externalId: string;
  /** Hash of each top-level field. */
  hashes: Record<string, string>;
}

/** A push in the schema shape whose every field has passed the schemas. */
export interface PushCommand extends PaymentIdentity {
  ipAddress: string;
  amount: Money;
  /** What the caller wrote; its minor units are rounded once, half to even. */
  recipientAmount: { minor: bigint; currency: string };
  exchangeRate: Decimal | undefined;
  quoteId: string | undefined;
  payer: Payer;
  method: { type: string; key: string; keyType: string };
  recipientName: string;
  recipientDocument: string;
  narrative: string;
}

/** Largest amount in either currency, in whole units (contract section 4). */
const maxUnits = 999_999_999_999n;
/** Callers choose the names of their fields, so a refusal names a bounded number of them. */
const maxNamedFields = 20;
const idPattern = /^[A-Za-z0-9._:-]{1,255}$/;

/** Reads the caller's id, before anything else is judged: a known id gets its first answer whatever the rest says. */
export function identify(tenant: string, body: Body): PaymentIdentity {
  const externalId = body.value["externalPaymentId"];
  if (typeof externalId !== "string" || !idPattern.test(externalId)) {
    const rule = "must be 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'";
    throw invalid([{ field: "externalPaymentId", message: externalId === undefined ? "is required" : rule }]);
  }
  return { tenant, externalId, hashes: fieldHashes(body) };
}

/** The top-level fields whose content differs between two requests with the same id. */
function differingFields(a: Record<string, string>, b: Record<string, string>): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => a[name] !== b[name]).toSorted();
}

/** Throws IDEMPOTENCY_CONFLICT unless both requests have the same content. */
export function requireSameContent(first: Record<string, string>, again: Record<string, string>): void {
  const fields = differingFields(first, again).slice(0, maxNamedFields);
  if (fields.length === 0) return;
  throw new DomainError(
    "IDEMPOTENCY_CONFLICT",
    `externalPaymentId was used with different content: ${fields.join(", ")}`,
    {
      details: { fields },
    },
  );
}

/** Refuses what this platform does not do yet, by name. */
export function requireSchemaShapePush(body: JsonObject): void {
  const violations: FieldViolation[] = [];
  const type = body["paymentType"];
  if (type === "PULL" || type === "PULLPUSH") violations.push({ field: "paymentType", message: "must be PUSH" });
  for (const field of ["recipient.destination", "recipient.customer"]) {
    if (at(body, field) !== undefined) {
      violations.push({ field, message: "must not be given: send the schema shape with recipient.paymentMethod" });
    }
  }
  if (violations.length > 0) throw invalid(violations);
}

/** Builds the command from a body that has passed the schemas. Throws INVALID_ARGUMENT with every wrong amount. */
export function toPushCommand(identity: PaymentIdentity, { value, numbers }: Body): PushCommand {
  const violations: FieldViolation[] = [];
  const amount = sourceAmount(value, numbers, violations);
  const recipientAmount = destinationAmount(value, numbers, violations);
  const exchangeRate = callerFloat("exchangeRate", numbers, violations);
  const quoteId = text(value, "fxId") || undefined;
  const currenciesDiffer = amount?.currency !== recipientAmount?.currency;
  if (currenciesDiffer && quoteId === undefined) violations.push({ field: "fxId", message: "is required" });
  if (violations.length > 0 || amount === undefined || recipientAmount === undefined) throw invalid(violations);
  return {
    ...identity,
    ipAddress: text(value, "ipAddress"),
    amount,
    recipientAmount,
    exchangeRate,
    quoteId,
    payer: payerOf(value),
    method: {
      type: text(value, "recipient.paymentMethod.type"),
      key: text(value, "recipient.paymentMethod.key"),
      keyType: text(value, "recipient.paymentMethod.keyType"),
    },
    recipientName: `${text(value, "recipient.firstName")} ${text(value, "recipient.lastName")}`,
    recipientDocument: text(value, "recipient.documents.0.document"),
    narrative: [text(value, "dynamicDescriptor"), text(value, "additionalData.statementNarrative")]
      .filter(Boolean)
      .join(" "),
  };
}

/** `amount` is ours to take exactly: no more decimals than the currency has. */
function sourceAmount(body: JsonObject, numbers: Body["numbers"], violations: FieldViolation[]): Money | undefined {
  const currency = text(body, "amount.currency");
  const digits = currencyDigits(currency);
  const decimal = plainDecimal("amount.total", numbers, violations);
  if (digits === undefined) violations.push({ field: "amount.currency", message: "must be an ISO 4217 currency" });
  if (digits === undefined || decimal === undefined) return undefined;
  const minor = exactMinor(decimal, digits);
  if (minor === undefined) {
    violations.push({ field: "amount.total", message: `must have at most ${digits} decimals` });
    return undefined;
  }
  return money(minor, currency);
}

/** `recipientAmount` is what callers compute with floats: up to 17 significant digits, rounded once. */
function destinationAmount(
  body: JsonObject,
  numbers: Body["numbers"],
  violations: FieldViolation[],
): Money | undefined {
  const currency = text(body, "recipientAmount.currency");
  const digits = currencyDigits(currency);
  const decimal = callerFloat("recipientAmount.total", numbers, violations);
  if (digits === undefined)
    violations.push({ field: "recipientAmount.currency", message: "must be an ISO 4217 currency" });
  return digits === undefined || decimal === undefined ? undefined : money(roundedMinor(decimal, digits), currency);
}

function callerFloat(field: string, numbers: Body["numbers"], violations: FieldViolation[]): Decimal | undefined {
  if (!numbers.has(field)) return undefined;
  const decimal = plainDecimal(field, numbers, violations);
  if (decimal === undefined || significantDigits(decimal) <= 17) return decimal;
  violations.push({ field, message: "must have at most 17 significant digits" });
  return undefined;
}

function plainDecimal(field: string, numbers: Body["numbers"], violations: FieldViolation[]): Decimal | undefined {
  const decimal = parseDecimal(numbers.get(field) ?? "");
  const isTooLarge = decimal !== undefined && decimal.digits > maxUnits * 10n ** BigInt(decimal.scale);
  if (decimal !== undefined && !isTooLarge) return decimal;
  const message = isTooLarge
    ? `must be at most ${maxUnits}`
    : "must be a plain decimal number, not negative, without exponent";
  violations.push({ field, message });
  return undefined;
}

function payerOf(body: JsonObject): Payer {
  const own = (name: string): string => text(body, `sender.${name}`);
  const address = (name: string): string => text(body, `sender.address.${name}`);
  return {
    firstName: own("firstName"),
    lastName: own("lastName"),
    phoneNumber: own("phoneNumber"),
    email: own("email"),
    countryCode: address("countryCode"),
    stateCode: address("stateCode"),
    state: address("state"),
    city: address("city"),
    line1: address("line1"),
    line2: address("line2"),
    zipCode: address("zipCode"),
  };
}

function text(value: JsonObject, path: string): string {
  const found = at(value, path);
  return typeof found === "string" ? found : "";
}
