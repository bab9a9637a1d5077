import { DomainError, type FieldViolation, invalid } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import { fieldHashes, type JsonObject, type JsonValue, type ParsedJson } from "../../shared/kernel/json";
import {
  currencyDigits,
  type Decimal,
  exactMinor,
  type Money,
  money,
  parseDecimal,
  roundedMinor,
  significantDigits,
} from "../../shared/kernel/money";
import { at, ownField, type Payload, type PayloadShape } from "./payload-shape";
import type { Payer, Payment, PaymentType, PullSource } from "./payment";

export type Body = { value: JsonObject; numbers: ParsedJson["numbers"] };

/** Who asks for a payment, under which id, with which content. Enough to find an earlier answer. */
export interface PaymentIdentity {
  tenant: string;
  externalId: string;
  /** The agent through whose door it comes; undefined when the tenant asks by itself. */
  agentId: string | undefined;
  /** Hash of each top-level field. */
  hashes: Record<string, string>;
}

/** What a payment collects, and whether the money is taken at once. */
export interface PullOrder {
  source: PullSource;
  captureAtOnce: boolean;
}

/** What a payment pays out. */
export interface PayoutOrder {
  /** What the caller wrote; its minor units are rounded once, half to even. */
  recipientAmount: { minor: bigint; currency: string };
  exchangeRate: Decimal | undefined;
  quoteId: string | undefined;
  /** True when the platform prices the payment: what the caller wrote of rate and amount is then only indicative. */
  isIndicative: boolean;
  shape: PayloadShape;
  countryCode: string;
  method: string;
  account: Readonly<Record<string, string>>;
  recipientName: string;
  recipientDocument: string;
  purpose: string;
}

/** A payment whose every field has passed the schemas. */
export interface PaymentCommand extends PaymentIdentity {
  type: PaymentType;
  agent: Payment["agent"];
  ipAddress: string;
  amount: Money;
  payer: Payer;
  narrative: string;
  pull: PullOrder | undefined;
  payout: PayoutOrder | undefined;
}

/** Largest amount in either currency, in whole units (contract section 4). */
const maxUnits = 999_999_999_999n;
/** Callers choose the names of their fields, so a refusal names a bounded number of them. */
const maxNamedFields = 20;

/** Reads the caller's id, before anything else is judged: a known id gets its first answer whatever the rest says. */
export function identify(tenant: string, body: Body, agentId?: string): PaymentIdentity {
  const externalId = body.value["externalPaymentId"];
  if (!isExternalId(externalId)) {
    const message = externalId === undefined ? "is required" : externalIdRule;
    throw invalid([{ field: "externalPaymentId", message }]);
  }
  // Who asks is a part of what is asked: the same body from another agent is another payment.
  const hashes = { ...fieldHashes(body), ...(agentId !== undefined && { agent: agentId }) };
  return { tenant, externalId, agentId, hashes };
}

/** The agent, with its own name for the transaction: absent, null or an id. */
function agentOf(
  { agentId }: Pick<PaymentIdentity, "agentId">,
  body: JsonObject,
  violations: FieldViolation[],
): Payment["agent"] {
  if (agentId === undefined) return undefined;
  const id = body["externalId"] ?? undefined;
  if (id === undefined || isExternalId(id)) return { id: agentId, externalTransactionId: id };
  violations.push({ field: "externalId", message: externalIdRule });
  return undefined;
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

/**
 * Builds the command from a body that has passed the schemas. `payload` is the body in the words of the schema shape.
 * Throws INVALID_ARGUMENT with everything that no schema can say, by the caller's own names; also for a body that has not passed.
 */
export function toCommand(identity: PaymentIdentity, payload: Payload, { numbers }: Body): PaymentCommand {
  const { body } = payload;
  const violations: FieldViolation[] = [];
  const type = typeOf(body);
  const agent = agentOf(identity, body, violations);
  const amount = sourceAmount(body, numbers, violations);
  const payout = type === "PULL" ? undefined : payoutOrder(payload, numbers, violations);
  if (amount?.minor === 0n && type !== "PUSH") {
    violations.push({ field: "amount.total", message: "must be more than 0" });
  }
  if (violations.length > 0 || amount === undefined) throw invalid(violations);
  return {
    ...identity,
    type,
    agent,
    ipAddress: text(body, "ipAddress"),
    amount,
    payer: payerOf(body),
    narrative: [text(body, "dynamicDescriptor"), text(body, "additionalData.statementNarrative")]
      .filter(Boolean)
      .join(" "),
    pull: type === "PUSH" ? undefined : { source: sourceOf(type, body), captureAtOnce: body["capture"] !== false },
    payout,
  };
}

function typeOf(body: JsonObject): PaymentType {
  const type = body["paymentType"];
  return type === "PULL" || type === "PULLPUSH" ? type : "PUSH";
}

function payoutOrder(
  { body, shape, destination }: Payload,
  numbers: Body["numbers"],
  violations: FieldViolation[],
): PayoutOrder | undefined {
  const recipientAmount = destinationAmount(body, numbers, violations);
  const exchangeRate = callerFloat("exchangeRate", numbers, violations);
  const quoteId = text(body, "fxId") || undefined;
  const [from, to] = [text(body, "amount.currency"), text(body, "recipientAmount.currency")];
  const currenciesDiffer = from !== "" && to !== "" && from !== to;
  const isUnquoted = quoteId === undefined && currenciesDiffer;
  if (isUnquoted && shape === "schema") violations.push({ field: "fxId", message: "is required" });
  if (recipientAmount === undefined) return undefined;
  return {
    recipientAmount,
    exchangeRate,
    quoteId,
    isIndicative: isUnquoted,
    shape,
    countryCode: destination?.country ?? "",
    method: text(body, "recipient.paymentMethod.type"),
    account: textsOf(at(body, "recipient.paymentMethod")),
    recipientName: `${text(body, "recipient.firstName")} ${text(body, "recipient.lastName")}`,
    recipientDocument: text(body, "recipient.documents.0.document"),
    purpose: text(body, "additionalData.paymentPurpose"),
  };
}

/** The card tokens of a payment that has passed the schemas, each with the caller's own name of its field. */
export function cardTokensOf(payload: Payload): { field: string; token: string }[] {
  const { body } = payload;
  const type = typeOf(body);
  const source = type === "PULL" ? "sender.paymentMethod" : "sender.source";
  const places = [
    ...(type === "PUSH" ? [] : [`${source}.cardTokenId`, `${source}.card.token`]),
    ...(type === "PULL" ? [] : ["recipient.paymentMethod.cardTokenId"]),
  ];
  return places.flatMap((place) => {
    const isCard = text(body, place.replace(/\.(?:cardTokenId|card\.token)$/, ".type")) === "CARD";
    const token = text(body, place).toLowerCase();
    return isCard && token !== "" ? [{ field: ownField(payload, place), token }] : [];
  });
}

/** Where the money comes from. A PULL names it as its payment method, a PULLPUSH as its source. */
function sourceOf(type: PaymentType, body: JsonObject): PullSource {
  const place = type === "PULL" ? "sender.paymentMethod" : "sender.source";
  const own = (name: string): string => text(body, `${place}.${name}`);
  if (own("type") === "CARD") {
    return { kind: "card", token: (own("cardTokenId") || own("card.token")).toLowerCase() };
  }
  if (own("accountTokenId") !== "") return { kind: "account", token: own("accountTokenId") };
  return {
    kind: "bank",
    routingNumber: own("routingNumber"),
    accountNumber: own("accountNumber"),
    accountType: own("accountType"),
    holder: `${own("accountHolder.firstName")} ${own("accountHolder.lastName")}`,
  };
}

function textsOf(value: JsonValue | undefined): Record<string, string> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return {};
  const entries = Object.entries(value).flatMap(([name, field]) => (typeof field === "string" ? [[name, field]] : []));
  return Object.fromEntries(entries) as Record<string, string>;
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
