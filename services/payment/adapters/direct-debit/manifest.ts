import type { ProviderManifest } from "../../ports";

export const debitRefusals = {
  /** The debit itself: what the scheme calls malformed it has not taken. */
  debit: ["invalid_request"],
  refund: ["not_refundable", "amount_not_of_the_currency", "amount_too_high"],
} as const;

/** The refusal of our own: the account token opens nothing any more, so nothing was sent. */
export const unknownAccount = "unknown_account_token";

/** Bank accounts by direct debit. An accepted debit is authorised and collected in one, under the payment's id. */
export const directDebitManifest: ProviderManifest = {
  name: "debits",
  role: "pull",
  hasPrepare: false,
  hasCancel: false,
  callbacks: "signed",
  finalityWindowMs: 0,
  refusals: {
    authorize: [...debitRefusals.debit, unknownAccount],
    capture: [...debitRefusals.debit, unknownAccount],
    refund: debitRefusals.refund,
  },
  statement: "api",
};
