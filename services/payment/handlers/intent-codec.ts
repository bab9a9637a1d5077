import type { Decimal as WireDecimal, Money as WireMoney } from "../../../proto/gen/corridor/common/v1/money";
import {
  type Collection,
  type AdditionalData as WireData,
  PaymentIntent as WireIntent,
  PixKeyType as WireKeyType,
  type PayoutIntent as WirePayout,
  Pricing as WirePricing,
  DetailsProfile as WireProfile,
} from "../../../proto/gen/corridor/payment/v1/payment_intent";
import { enumCodec } from "../../shared/kernel/enum-codec";
import type { FieldViolation } from "../../shared/kernel/errors";
import { currencyDigits, type Decimal, type Money } from "../../shared/kernel/money";
import { readText } from "../../shared/kernel/text";
import type { PayoutMethod, PixKeyType } from "../domain/party";
import type {
  AdditionalData,
  CollectionIntent,
  CollectionSource,
  DetailsProfile,
  PaymentIntent,
  PayoutIntent,
  Pricing,
} from "../domain/payment-intent";
import { intentFields } from "./fingerprint";
import { decodeParty } from "./party-codec";

const pricingCodec = enumCodec<WirePricing, Pricing>({
  [WirePricing.UNSPECIFIED]: undefined,
  [WirePricing.QUOTED]: "QUOTED",
  [WirePricing.AT_ACCEPTANCE]: "AT_ACCEPTANCE",
  [WirePricing.UNRECOGNIZED]: undefined,
});

const profileCodec = enumCodec<WireProfile, DetailsProfile>({
  [WireProfile.UNSPECIFIED]: undefined,
  [WireProfile.COUNTRY]: "COUNTRY",
  [WireProfile.CUSTOMER]: "CUSTOMER",
  [WireProfile.UNRECOGNIZED]: undefined,
});

const keyTypeCodec = enumCodec<WireKeyType, PixKeyType>({
  [WireKeyType.UNSPECIFIED]: undefined,
  [WireKeyType.EMAIL]: "EMAIL",
  [WireKeyType.PHONE]: "PHONE",
  [WireKeyType.DOCUMENT]: "DOCUMENT",
  [WireKeyType.EVP]: "EVP",
  [WireKeyType.UNRECOGNIZED]: undefined,
});

/** The most decimals of a rate on the wire. */
const maxScale = 18;
/** The largest amount or rate, in whole units. */
const maxUnits = 999_999_999_999n;

/** A payment as it was received. */
export interface DecodedIntent {
  /** What the payment asks for; parts that could not be read are missing. */
  intent: PaymentIntent;
  /** Violations of the message itself, with the field names of the published schemas. */
  violations: readonly FieldViolation[];
  /** The parts of the payment, named as in the REST API, each as text that is equal where the part is equal. */
  fields: Readonly<Record<string, string>>;
}

/** Reads a payment, even when it is invalid. `agentId` is the agent that sent it. */
export function decodeIntent(given: WireIntent | undefined, agentId?: string): DecodedIntent {
  const message = canonical(given ?? WireIntent.decode(new Uint8Array()));
  const violations: FieldViolation[] = [];
  const { sender, collection, payout, additionalData, amount } = message;
  const intent: PaymentIntent = {
    externalId: message.externalPaymentId,
    ipAddress: message.ipAddress,
    amount: decodeAmount("amount", amount, violations),
    sender: sender && decodeParty(sender),
    collection: collection && decodeCollection(collection),
    payout: payout && decodePayout(payout, violations),
    statementDescriptor: message.statementDescriptor,
    additionalData: additionalData && decodeData(additionalData, violations),
    externalTransactionId: message.externalTransactionId,
  };
  return { intent, violations, fields: intentFields(message, agentId) };
}

/** Returns the message in canonical form: text in composed form, rates without trailing zeros, names in order. */
function canonical(message: WireIntent): WireIntent {
  const composed = inComposedForm(message);
  const { payout, additionalData } = composed;
  return {
    ...composed,
    payout: payout && { ...payout, exchangeRate: withoutZeros(payout.exchangeRate) },
    additionalData: additionalData && { ...additionalData, extras: inOrder(additionalData.extras) },
  };
}

/** Returns the same value with all its texts in composed form. Text that is refused stays as it is, and is refused later. */
export function inComposedForm<T>(value: T): T {
  // Each branch returns a value of the type that it was given; only the form of texts changes.
  if (typeof value === "string") return (readText(value) ?? value) as T & string;
  if (Array.isArray(value)) return value.map(inComposedForm) as T & unknown[];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inComposedForm(part)])) as T & object;
}

const inOrder = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function withoutZeros(decimal: WireDecimal | undefined): WireDecimal | undefined {
  if (decimal === undefined || decimal.scale < 0 || decimal.scale > maxScale) return decimal;
  let { unscaled, scale } = decimal;
  while (scale > 0 && unscaled % 10n === 0n) {
    unscaled /= 10n;
    scale -= 1;
  }
  return { unscaled, scale };
}

function decodeAmount(
  field: "amount" | "recipientAmount",
  amount: WireMoney | undefined,
  violations: FieldViolation[],
): Money | undefined {
  if (amount === undefined) {
    violations.push({ field, message: "is required" });
    return undefined;
  }
  const { amountMinor: minor, currency } = amount;
  const digits = currencyDigits(currency);
  if (digits === undefined) {
    violations.push({ field: `${field}.currency`, message: "must be an ISO 4217 currency, three capital letters" });
    return undefined;
  }
  if (minor < 0n || minor > maxUnits * 10n ** BigInt(digits)) {
    violations.push({ field: `${field}.total`, message: `must be from 0 to ${maxUnits}` });
    return undefined;
  }
  return { minor, currency };
}

function decodeRate(rate: WireDecimal | undefined, violations: FieldViolation[]): Decimal | undefined {
  if (rate === undefined) return undefined;
  const { unscaled: digits, scale } = rate;
  const isInForm = scale >= 0 && scale <= maxScale && digits > 0n;
  if (isInForm && digits <= maxUnits * 10n ** BigInt(scale)) return { digits, scale };
  const message = `must be above 0, at most ${maxUnits}, with at most ${maxScale} decimals`;
  violations.push({ field: "exchangeRate", message });
  return undefined;
}

const decodeCollection = ({ source, authorizeOnly }: Collection): CollectionIntent => ({
  source: source && decodeSource(source),
  captureAtOnce: !authorizeOnly,
});

function decodeSource(source: NonNullable<Collection["source"]>): CollectionSource {
  switch (source.$case) {
    case "cardToken":
      return { kind: "card", token: source.value.toLowerCase() };
    case "accountToken":
      return { kind: "account", token: source.value };
    case "bankAccount":
      return { kind: "bank", ...source.value };
  }
}

function decodePayout(payout: WirePayout, violations: FieldViolation[]): PayoutIntent {
  const { recipient, countryCode, method, quoteId } = payout;
  const pricing = pricingCodec.decode(payout.pricing);
  const profile = profileCodec.decode(payout.detailsProfile);
  if (pricing === undefined) violations.push({ field: "pricing", message: "must be QUOTED or AT_ACCEPTANCE" });
  if (profile === undefined) violations.push({ field: "detailsProfile", message: "must be COUNTRY or CUSTOMER" });
  return {
    amount: decodeAmount("recipientAmount", payout.amount, violations),
    recipient: recipient && decodeParty(recipient),
    countryCode,
    method: method && decodeMethod(method, violations),
    quoteId,
    exchangeRate: decodeRate(payout.exchangeRate, violations),
    pricing,
    profile,
  };
}

/** Reads the method of a payout. */
export function decodeMethod(method: NonNullable<WirePayout["method"]>, violations: FieldViolation[]): PayoutMethod {
  switch (method.$case) {
    case "bankAccount":
      return { kind: "bankAccount", ...method.value };
    case "wallet":
      return { kind: "wallet", ...method.value };
    case "pix": {
      const { key, keyType } = method.value;
      if (keyType === WireKeyType.UNRECOGNIZED) {
        violations.push({ field: "recipient.paymentMethod.keyType", message: "must be a known kind of key" });
      }
      return { kind: "pix", key, keyType: keyTypeCodec.decode(keyType) };
    }
    case "upiAddress":
      return { kind: "upi", address: method.value };
    case "dimo":
      return { kind: "dimo", ...method.value };
    case "cardToken":
      return { kind: "card", token: method.value.toLowerCase() };
  }
}

/** Names that have a field of their own. */
const ownNames: ReadonlySet<string> = new Set(["paymentPurpose", "statementNarrative"]);
/** A dotted path must name exactly one place, and JSON must be able to contain the name unchanged. */
const extraName = /^[^."\\\p{Cc}]{1,64}$/u;
const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Reads what a corridor asks for besides the parties. */
export function decodeData(
  { paymentPurpose, statementNarrative, extras }: WireData,
  violations: FieldViolation[],
): AdditionalData {
  for (const name of Object.keys(extras)) {
    const field = `additionalData.${name.slice(0, 64)}`;
    if (ownNames.has(name)) violations.push({ field, message: "must be given in the field of its own" });
    else if (!extraName.test(name) || forbiddenNames.has(name)) {
      violations.push({
        field: "additionalData",
        message: "must have names of 1 to 64 plain characters, without dots",
      });
    }
  }
  return { purpose: paymentPurpose, narrative: statementNarrative, extras };
}
