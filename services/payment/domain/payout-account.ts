import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";

export type AccountPurpose = "FUNDING" | "RECIPIENT";

/** A payment method that an agent keeps of a participant. */
export interface PayoutAccount {
  id: string;
  tenant: string;
  agentId: string;
  participantId: string;
  purpose: AccountPurpose;
  type: string;
  /** ISO 3166-1 alpha-3 of a recipient. */
  countryCode: string | undefined;
  /** All but the last four characters of its number are hidden. */
  masked: string;
  /** The token of the checked bank account that a source of money stands for. */
  accountTokenId: string | undefined;
  /** What the caller wrote; sealed at rest. */
  details: JsonObject;
  createdAt: Date;
}

export type AccountFacts = Pick<PayoutAccount, "type" | "countryCode" | "masked" | "accountTokenId" | "details">;

const uuid = /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/;

/** Fields of a funding account by its type: the token that a check or the tokenizer gave. */
const fundingTokens: Readonly<Record<string, string>> = { CARD: "cardTokenId", BANK_DEPOSIT: "accountTokenId" };

/** Reads a source of money, `{type, cardTokenId | accountTokenId}`. Throws INVALID_ARGUMENT. */
export function readFundingAccount(body: JsonObject): AccountFacts {
  const { type } = body;
  const field = typeof type === "string" ? fundingTokens[type] : undefined;
  if (typeof type !== "string" || field === undefined) {
    throw invalid([{ field: "type", message: "must be CARD or BANK_DEPOSIT" }]);
  }
  const token = body[field];
  if (typeof token !== "string" || !uuid.test(token)) {
    throw invalid([{ field, message: "is required and must be a UUID" }]);
  }
  const accountTokenId = field === "accountTokenId" ? token : undefined;
  return { type, countryCode: undefined, masked: mask(token), accountTokenId, details: { type, [field]: token } };
}

/**
 * Reads a recipient, `{recipient, additionalData?}` as in a payment in the schema shape. The country is that of the payment
 * method, else of the address. Throws INVALID_ARGUMENT when either is missing.
 */
export function readRecipientAccount(body: JsonObject): AccountFacts & { countryCode: string } {
  const recipient = objectOf(body["recipient"]);
  const method = objectOf(recipient["paymentMethod"]);
  const violations: FieldViolation[] = [];
  const { type } = method;
  if (typeof type !== "string") violations.push({ field: "recipient.paymentMethod.type", message: "is required" });
  const countryCode = method["countryCode"] ?? objectOf(recipient["address"])["countryCode"];
  if (typeof countryCode !== "string" || !/^[A-Z]{3}$/.test(countryCode)) {
    const field = "recipient.paymentMethod.countryCode";
    violations.push({ field, message: "is required here or in the address, an alpha-3 code" });
  }
  if (violations.length > 0 || typeof type !== "string" || typeof countryCode !== "string") throw invalid(violations);
  const { additionalData } = body;
  const details = { recipient, ...(additionalData === undefined ? {} : { additionalData }) };
  return { type, countryCode, masked: mask(numberOf(method)), accountTokenId: undefined, details };
}

/** Rules of a country that are about the recipient itself, and not about one payment to it. */
export const isOfRecipient = ({ field }: FieldViolation): boolean => /^recipient(?:\.|$)/.test(field);

const numberFields = ["accountNumber", "key", "walletId", "cardTokenId"] as const;

/** The number of an account as a recipient's payment method tells it; empty when it tells none. */
export const numberOf = (method: Readonly<Record<string, unknown>>): string => {
  const found = numberFields.map((name) => method[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
};

export const mask = (number: string): string => `****${number.length > 4 ? number.slice(-4) : ""}`;

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
