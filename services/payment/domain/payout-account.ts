import type { FieldViolation } from "../../shared/kernel/errors";
import type { GivenToken } from "./check-ports";
import type { Party, PayoutMethod } from "./party";
import type { AdditionalData } from "./payment-intent";
import { methodInWords } from "./payment-methods";

export type AccountPurpose = "FUNDING" | "RECIPIENT";

/** A source of money, by the token that a check or the tokenizer gave it. */
export interface FundingSource {
  kind: "card" | "account";
  token: string;
}

/** Who is paid, and how. Parts that are missing or could not be read are undefined, so that all that is wrong can be named. */
export interface PayoutDestination {
  recipient: Party | undefined;
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  method: PayoutMethod | undefined;
  additionalData: AdditionalData | undefined;
}

/** A payment method as its agent has written it. */
export type AccountDetails =
  | { purpose: "FUNDING"; source: FundingSource }
  | ({ purpose: "RECIPIENT" } & KeptDestination);

/** A destination of which nothing that matters is missing. */
export type KeptDestination = PayoutDestination & { recipient: Party; method: PayoutMethod };

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
  /** Sealed at rest. */
  details: AccountDetails;
  createdAt: Date;
}

type AccountFacts = Omit<PayoutAccount, "id" | "tenant" | "agentId" | "participantId" | "createdAt">;

const uuid = /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/;

/** What is to be known of each kind of source: its type and the name of its token in the REST API. */
const fundingKinds = {
  card: { type: "CARD", field: "cardTokenId" },
  account: { type: "BANK_DEPOSIT", field: "accountTokenId" },
} as const;

/** What breaks a rule of a source of money; undefined is none at all. */
export function fundingViolations(source: FundingSource | undefined): readonly FieldViolation[] {
  if (source === undefined) return [{ field: "type", message: "must be CARD or BANK_DEPOSIT" }];
  const { field } = fundingKinds[source.kind];
  return uuid.test(source.token) ? [] : [{ field, message: "is required and must be a UUID" }];
}

/** Its token, with the name of the field that it stands in. */
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

/** What is missing of a destination before the schema of its country can be asked. */
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

/** The number of an account as a recipient's payment method names it; empty when it names none. */
export const numberOf = (method: Readonly<Record<string, unknown>>): string => {
  const found = numberFields.map((name) => method[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
};

export const mask = (number: string): string => `****${number.length > 4 ? number.slice(-4) : ""}`;
