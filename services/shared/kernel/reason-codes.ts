/** The party that can resolve the problem. */
export type Move = "payer" | "recipient" | "platform" | "provider";

/** The leg of a payment that a reason is about: the one that collects, or the one that pays out. */
export type Leg = "pull" | "payout";

export interface ReasonRow {
  /** The source of the code: the external codes of ISO 20022, or the response codes of the card schemes (ISO 8583). */
  scheme: "ISO 20022" | "card";
  /** Two values where it depends on the leg. */
  whoseMove: Move | Readonly<Record<Leg, Move>>;
  sentence: string;
}

const iso = (whoseMove: ReasonRow["whoseMove"], sentence: string): ReasonRow => ({
  scheme: "ISO 20022",
  whoseMove,
  sentence,
});
const card = (whoseMove: Move, sentence: string): ReasonRow => ({ scheme: "card", whoseMove, sentence });

/** The holder of the account. */
const holder = { pull: "payer", payout: "recipient" } as const;

/** Why a payment ended, was held or returned money: all codes of the platform itself, and the usual ones of providers. */
export const reasonCodes = {
  AB05: iso("provider", "The recipient's bank did not answer in time, and the payout was given up."),
  AB06: iso("provider", "The rail never carried the payout out and never will; send a new payment."),
  AC01: iso(holder, "The account number is wrong."),
  AC02: iso("payer", "The account that was to be debited is unknown."),
  AC03: iso("recipient", "The recipient's account is unknown."),
  AC04: iso(holder, "The account is closed."),
  AC06: iso(holder, "The account is blocked."),
  AC13: iso("payer", "An account of this kind cannot be debited."),
  AC14: iso("recipient", "An account of this kind cannot be paid to."),
  AG01: iso(holder, "The account does not allow a transaction of this kind."),
  AG03: iso("platform", "The provider does not carry out transactions of this kind."),
  AM02: iso("payer", "The amount is above what may be moved at once."),
  AM03: iso(holder, "The account is not in this currency."),
  AM04: iso({ pull: "payer", payout: "platform" }, "The account that was to be charged does not cover the amount."),
  AM05: iso("payer", "The same was sent before."),
  AM09: iso("platform", "The amount is not what was agreed."),
  AM12: iso("platform", "The amount is not valid, or more than what is left."),
  ARDT: iso("provider", "The money was returned before."),
  BE01: iso(holder, "Name and account do not belong together."),
  BE04: iso("payer", "The recipient's address is missing or wrong."),
  CUST: iso("payer", "The paying side asked for it."),
  DUPL: iso("payer", "It is a copy of another payment."),
  ED05: iso("provider", "The settlement failed."),
  EDTR: iso("payer", "The time for it is over: the authorisation was not captured."),
  FF01: iso("platform", "The provider could not read the instruction."),
  FOCR: iso("payer", "The money came back because it was recalled."),
  FRAD: iso("payer", "It was reported as fraud."),
  MD01: iso("payer", "The payer says that the debit was not authorised, or has revoked it."),
  MD06: iso("payer", "The money was given back on request of the paying side."),
  MD07: iso(holder, "The holder of the account has died."),
  MS02: iso(holder, "The holder of the account refused it without a reason."),
  MS03: iso("provider", "The provider gave no reason."),
  NARR: iso("provider", "The provider gave its reason in words."),
  NOAS: iso("recipient", "The recipient did not answer."),
  RC01: iso(holder, "There is no bank with this code."),
  RR01: iso("payer", "The account or identity of the payer is missing, as the law asks for it."),
  RR02: iso("payer", "Name or address of the payer is missing, as the law asks for it."),
  RR03: iso("recipient", "Name or address of the recipient is missing, as the law asks for it."),
  RR04: iso("platform", "It was refused for regulatory reasons."),
  SL01: iso(holder, "The account's bank does not offer this to its holder."),
  TECH: iso("provider", "The provider had a technical fault."),
  TM01: iso("provider", "It came after the provider's hours."),
  UPAY: iso("payer", "The payment was not due."),
  "01": card("payer", "The issuer wants to be asked by the cardholder."),
  "03": card("platform", "The acquirer does not know the merchant."),
  "04": card("payer", "The issuer refuses the card."),
  "05": card("payer", "The issuer declined without a reason."),
  "12": card("platform", "The card network does not allow this step now."),
  "13": card("platform", "The amount is not valid, or more than what is left."),
  "14": card("payer", "There is no such card."),
  "15": card("payer", "There is no such issuer."),
  "1A": card("payer", "The cardholder must confirm first."),
  "30": card("platform", "The acquirer could not read the request."),
  "41": card("payer", "The card was reported lost."),
  "43": card("payer", "The card was reported stolen."),
  "51": card("payer", "The card's account does not cover the amount."),
  "54": card("payer", "The card has expired."),
  "57": card("payer", "The card does not allow this."),
  "58": card("platform", "The merchant may not do this."),
  "59": card("payer", "The issuer suspects fraud."),
  "61": card("payer", "The amount is above the card's limit."),
  "62": card("payer", "The card is restricted."),
  "65": card("payer", "The card was used too often, or the cardholder must confirm first."),
  "78": card("payer", "The card is blocked or was never activated."),
  "82": card("payer", "The cardholder's confirmation failed or came too late."),
  "91": card("provider", "The issuer does not answer."),
  "92": card("provider", "The issuer cannot be reached."),
  "96": card("provider", "The card network had a technical fault."),
  N7: card("payer", "The security code is wrong."),
  R1: card("payer", "The cardholder has revoked the consent."),
} as const satisfies Record<string, ReasonRow>;

export type ReasonCode = keyof typeof reasonCodes;

/** A reason code and its leg. A provider's code is stored unchanged, even if the table does not list it. */
export interface Cause {
  code: string;
  leg: Leg;
}

/** A reason in full, as callers and operators see it. */
export interface DescribedReason {
  code: string;
  whoseMove: Move;
  sentence: string;
}

const unlisted: ReasonRow = iso("provider", "The provider gave a reason of its own; its words are in the messages.");

const rows: Readonly<Record<string, ReasonRow>> = reasonCodes;

/** Describes any code in full. */
export function describeReason({ code, leg }: Cause): DescribedReason {
  const { whoseMove, sentence } = Object.hasOwn(rows, code) ? (rows[code] ?? unlisted) : unlisted;
  return { code, whoseMove: typeof whoseMove === "string" ? whoseMove : whoseMove[leg], sentence };
}

/** Returns the text if it can be a code of either scheme; otherwise undefined. */
export const readReasonCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Z0-9]{2,4}$/.test(text) ? text : undefined;
