import type { Decimal, Money } from "../../shared/kernel/money";
import type { Party, PayoutMethod } from "./party";
import type { PullSource } from "./payment";
import { legsOf, type PaymentType } from "./typed-legs";

/** A US bank account that is debited, as it was given. */
export interface DebitAccount {
  kind: "bank";
  routingNumber: string;
  accountNumber: string;
  accountType: string;
  holderType: string;
  holderFirstName: string;
  holderLastName: string;
}

/** The source that money is taken from, as it was given. */
export type CollectionSource = Extract<PullSource, { kind: "card" | "account" }> | DebitAccount;

/** What a corridor asks for besides the parties. */
export interface AdditionalData {
  purpose: string;
  narrative: string;
  /** Further texts by name, sorted by name. */
  extras: Readonly<Record<string, string>>;
}

/** What prices a payout: its quote (or parity), or the platform when it accepts the payment. */
export type Pricing = "QUOTED" | "AT_ACCEPTANCE";

/** The published schemas that the details of the parties must meet. */
export type DetailsProfile = "COUNTRY" | "CUSTOMER";

export interface CollectionIntent {
  source: CollectionSource | undefined;
  captureAtOnce: boolean;
}

export interface PayoutIntent {
  amount: Money | undefined;
  recipient: Party | undefined;
  /** ISO 3166-1 alpha-3 of the corridor. */
  countryCode: string;
  method: PayoutMethod | undefined;
  /** Empty for none. */
  quoteId: string;
  exchangeRate: Decimal | undefined;
  pricing: Pricing | undefined;
  profile: DetailsProfile | undefined;
}

/**
 * What a payment is to do, as its caller has given it. Parts that are missing or could not be read are undefined, so that every other
 * mistake in the payment can be reported together with them.
 */
export interface PaymentIntent {
  externalId: string;
  ipAddress: string;
  amount: Money | undefined;
  sender: Party | undefined;
  collection: CollectionIntent | undefined;
  payout: PayoutIntent | undefined;
  statementDescriptor: string;
  /** Undefined where it was not given: some countries require it but allow it to be empty. */
  additionalData: AdditionalData | undefined;
  /** An agent's own name for the transaction; empty when there is none. */
  externalTransactionId: string;
}

/** Returns the type of a payment; undefined when it neither collects nor pays out. */
export const typeOfIntent = ({
  collection,
  payout,
}: Pick<PaymentIntent, "collection" | "payout">): PaymentType | undefined => legsOf(collection, payout)?.type;
