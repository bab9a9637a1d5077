import type { Money } from "../../shared/kernel/money";
import type { Party, PayoutMethod } from "./party";
import type { Payment, Payout, PayoutTexts } from "./payment";

/**
 * All that a rail receives of a payout: who pays whom, how, and why. Parties and texts are those of the caller, none left out, so
 * that a rail has what its country asks for and the travel rule of FATF recommendation 16 is kept.
 */
export interface PayoutInstruction {
  reference: string;
  /** The name of the payment at the institution that serves who pays: it can always be asked whose money it was. */
  ultimateDebtorReference: string;
  amount: Money;
  /** ISO 3166-1 alpha-3 of the destination. */
  corridor: string;
  method: PayoutMethod;
  debtor: Party;
  /** Address of the device that the payment was ordered from. */
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

/** Both texts of a payout in one, for who has a place for one only. */
export const narrativeOf = ({ texts: { descriptor, narrative } }: Pick<Payout, "texts">): string =>
  [descriptor, narrative].filter(Boolean).join(" ");

/** Name of a party in one text. */
export const nameOf = ({ firstName, lastName }: Party): string => `${firstName} ${lastName}`;
