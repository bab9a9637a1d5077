import type { Money } from "../../shared/kernel/money";
import type { Party, PayoutMethod } from "./party";
import type { Payment, Payout, PayoutTexts } from "./payment";

/**
 * Everything that a rail receives about a payout: who pays whom, how, and why. Parties and texts are the caller's, with none left out, so
 * that a rail has what its country requires and the travel rule of FATF recommendation 16 is kept.
 */
export interface PayoutInstruction {
  reference: string;
  /** The payment's reference at the institution that serves the payer, so that the institution can always be asked whose money it was. */
  ultimateDebtorReference: string;
  amount: Money;
  /** ISO 3166-1 alpha-3 of the destination. */
  corridor: string;
  method: PayoutMethod;
  debtor: Party;
  /** IP address of the device that the payment was ordered from. */
  debtorIpAddress: string;
  creditor: Party;
  texts: PayoutTexts;
}

export const instructionOf = (
  { sender, ipAddress, externalId }: Pick<Payment, "sender" | "ipAddress" | "externalId">,
  { reference, amount, countryCode, method, recipient, texts }: Payout,
): PayoutInstruction => ({
  reference,
  ultimateDebtorReference: externalId,
  amount,
  corridor: countryCode,
  method,
  debtor: sender,
  debtorIpAddress: ipAddress,
  creditor: recipient,
  texts,
});

/** Joins both texts of a payout, for a rail that has only one field for them. */
export const narrativeOf = ({ texts: { descriptor, narrative } }: Pick<Payout, "texts">): string =>
  [descriptor, narrative].filter(Boolean).join(" ");

/** Returns the name of a party as one text. */
export const nameOf = ({ firstName, lastName }: Party): string => `${firstName} ${lastName}`;
