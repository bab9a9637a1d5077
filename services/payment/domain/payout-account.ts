import type { FieldViolation } from "../../shared/kernel/errors";
import type { GivenToken } from "./check-ports";
import type { Party, PayoutMethod } from "./party";
import type { AdditionalData } from "./payment-intent";
import { methodInWords } from "./payment-methods";

export type AccountPurpose = "FUNDING" | "RECIPIENT";

/** A source of money, identified by the token that a check or the tokenizer returned. */
export interface FundingSource {
  kind: "card" | "account";
  token: string;
}

/** Who is paid, and how. Parts that are missing or could not be read are undefined, so that every mistake can be reported. */
export interface PayoutDestination {
  recipient: Party | undefined;
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  method: PayoutMethod | undefined;
  additionalData: AdditionalData | undefined;
}

/** A payment method as its agent has given it. */
export type AccountDetails =
  | { purpose: "FUNDING"; source: FundingSource }
  | ({ purpose: "RECIPIENT" } & KeptDestination);

/** A destination with all its required parts. */
export type KeptDestination = PayoutDestination & { recipient: Party; method: PayoutMethod };

/** A payment method that an agent keeps for a participant. */
export interface PayoutAccount {
  id: string;
  tenant: string;
  agentId: string;
  participantId: string;
  purpose: AccountPurpose;
  type: string;
  /** ISO 3166-1 alpha-3 code of a recipient's country. */
  countryCode: string | undefined;
  /** The number with all but its last four characters hidden. */
  masked: string;
  /** The token of the checked bank account behind a source of money. */
  accountTokenId: string | undefined;
  /** Sealed at rest. */
  details: AccountDetails;
  createdAt: Date;
}

type AccountFacts = Omit<PayoutAccount, "id" | "tenant" | "agentId" | "participantId" | "createdAt">;

const uuid = /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/;

/** What the platform knows about each kind of source: its type, and its token's name in the REST API. */
const fundingKinds = {
  card: { type: "CARD", field: "cardTokenId" },
  account: { type: "BANK_DEPOSIT", field: "accountTokenId" },
} as const;

/** Returns the rules that a source of money breaks; an undefined source is missing. */
export function fundingViolations(source: FundingSource | undefined): readonly FieldViolation[] {
  if (source === undefined) return [{ field: "type", message: "must be CARD or BANK_DEPOSIT" }];
  const { field } = fundingKinds[source.kind];
  return uuid.test(source.token) ? [] : [{ field, message: "is required and must be a UUID" }];
}

/** Returns the source's token, with the name of its field. */
export const tokensOfFunding = (source: FundingSource | undefined): GivenToken[] =>
  source === undefined ? [] : [{ ...source, field: fundingKinds[source.kind].field }];

export const fundingFacts = (source: FundingSource): AccountFacts => ({
  purpose: "FUNDING",
  type: fundingKinds[source.kind].type,
  countryCode: undefined,
  masked: mask(source.token),
  accountTokenId: source.kind === "account" ? source.token : undefined,
  details: { purpose: "FUNDING", source },
});

/** Returns the parts that a destination lacks before the schema of its country can be checked. */
export function missingParts({ recipient, countryCode, method }: PayoutDestination): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (recipient === undefined) violations.push({ field: "recipient", message: "is required" });
  if (method === undefined) violations.push({ field: "recipient.paymentMethod.type", message: "is required" });
  if (!/^[A-Z]{3}$/.test(countryCode)) {
    const field = "recipient.paymentMethod.countryCode";
    violations.push({ field, message: "is required here or in the address, an alpha-3 code" });
  }
  return violations;
}

export const isWhole = (destination: PayoutDestination): destination is KeptDestination =>
  missingParts(destination).length === 0;

export function destinationFacts(destination: KeptDestination): AccountFacts {
  const method = methodInWords(destination.method);
  return {
    purpose: "RECIPIENT",
    type: method.type,
    countryCode: destination.countryCode,
    masked: mask(numberOf(method)),
    accountTokenId: undefined,
    details: { purpose: "RECIPIENT", ...destination },
  };
}

const numberFields = ["accountNumber", "key", "walletId", "cardTokenId"] as const;

/** Returns the account number in a recipient's payment method; empty when it has none. */
export const numberOf = (method: Readonly<Record<string, unknown>>): string => {
  const found = numberFields.map((name) => method[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
};

export const mask = (number: string): string => `****${number.length > 4 ? number.slice(-4) : ""}`;
