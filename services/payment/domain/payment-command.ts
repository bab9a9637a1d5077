import { derivedUuid } from "../../shared/kernel/ids";
import type { Decimal, Money } from "../../shared/kernel/money";
import type { Party, PayoutMethod } from "./party";
import type { Payment, PayoutTexts, PullSource } from "./payment";
import type { DetailsProfile } from "./payment-intent";
import type { LegsOf } from "./typed-legs";

/** Identifies a payment: who asks for it, under which id, with which content. That is enough to find an earlier answer. */
export interface PaymentIdentity {
  tenant: string;
  externalId: string;
  /** The agent that sends it; undefined when the tenant itself does. */
  agentId: string | undefined;
  /** Hash of each of its parts, named as in the REST API. */
  hashes: Readonly<Record<string, string>>;
}

/**
 * Returns the payment's id. The same request has the same id on every attempt; other content under the same externalPaymentId has another
 * id.
 */
export const paymentIdOf = ({ tenant, externalId, hashes }: PaymentIdentity): string =>
  derivedUuid("payment", tenant, externalId, JSON.stringify(hashes));

/** What a payment collects, and whether the money is taken at once. */
export interface PullOrder {
  source: PullSource;
  captureAtOnce: boolean;
}

/** What a payment pays out. */
export interface PayoutOrder {
  /** The amount that the caller asked for; rounded once, half to even. */
  recipientAmount: Money;
  exchangeRate: Decimal | undefined;
  quoteId: string | undefined;
  /** True when the platform prices the payment: the caller's rate and amount are then only indicative. */
  isIndicative: boolean;
  profile: DetailsProfile | undefined;
  countryCode: string;
  method: PayoutMethod;
  recipient: Party;
  texts: PayoutTexts;
}

/** A payment that meets every rule of its fields. */
export type PaymentCommand = PaymentIdentity &
  LegsOf<PullOrder, PayoutOrder> & {
    agent: Payment["agent"];
    ipAddress: string;
    amount: Money;
    sender: Party;
  };
