/** The answer to a refused call. */
interface Answer {
  status: number;
  body: object;
}

/** A provider's reason for refusal: a code of its own closed list, the code of its scheme, and a sentence. */
export interface Refusal {
  status: number;
  /** ISO 20022 external code, or the card scheme's response code. */
  reasonCode: string;
  message: string;
}

const refusal = (status: number, reasonCode: string, message: string): Refusal => ({ status, reasonCode, message });

/** All refusals of these providers. */
export const refusals = {
  /** Steps of cards and debits. */
  unknown_token: refusal(422, "14", "There is no card behind this token."),
  not_capturable: refusal(409, "12", "The authorization cannot be captured in its present status."),
  not_voidable: refusal(409, "12", "It cannot be voided in its present status."),
  not_refundable: refusal(409, "12", "It cannot be refunded in its present status."),
  amount_too_high: refusal(422, "13", "The amount is higher than what is left."),
  amount_not_of_the_currency: refusal(422, "13", "The amount has more decimals than its currency."),
  insufficient_funds: refusal(422, "51", "The account does not cover the amount."),
  /** Payout orders. */
  incomplete_instruction: refusal(422, "RR04", "The order lacks what its country asks for."),
  not_releasable: refusal(409, "AG01", "The order cannot be released in its present status."),
  already_released: refusal(409, "ARDT", "The order was released before."),
  no_prepare_step: refusal(405, "AG01", "This rail takes the whole order with the release."),
  /** For every provider. */
  reference_conflict: refusal(409, "DUPL", "The reference was used with other content."),
} as const;

/** The rails' own codes with those of ISO 20022. */
export const railRefusals: Readonly<Record<string, string>> = {
  AC01: "unknown_card",
  AC03: "account_unknown",
  AC04: "account_closed",
  AC06: "account_blocked",
  AG01: "forbidden",
  AM04: "insufficient_funds",
  CUST: "cancelled",
  RR04: "regulatory",
};

export type RefusalCode = keyof typeof refusals;

/** A provider's refusal, with its record of the order. */
export function refuseWith(error: RefusalCode, known: object = {}): Answer {
  const { status, reasonCode, message } = refusals[error];
  return { status, body: { error, reasonCode, message, ...known } };
}
