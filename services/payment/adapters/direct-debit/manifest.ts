import type { ReasonCode } from "../../../shared/kernel/reason-codes";
import type { ProviderManifest, Refusals } from "../../ports";

export const debitRefusals = {
  /** The debit itself: the scheme has not accepted what it calls malformed. */
  debit: { invalid_request: "FF01" },
  refund: { not_refundable: "AG03", amount_not_of_the_currency: "AM12", amount_too_high: "AM12" },
} as const satisfies Readonly<Record<string, Refusals>>;

/** Our own refusal: the account token no longer resolves to an account, so nothing was sent. */
export const unknownAccount = { unknown_account_token: "AC02" } as const satisfies Refusals;

/** Manifest of bank accounts by direct debit. An accepted debit is authorised and collected in one step, under the payment's id. */
export const directDebitManifest: ProviderManifest = {
  name: "debits",
  role: "pull",
  hasPrepare: false,
  keepsPrepared: false,
  hasCancel: false,
  callbacks: "signed",
  finalityWindowMs: 0,
  refusals: {
    authorize: { ...debitRefusals.debit, ...unknownAccount },
    capture: { ...debitRefusals.debit, ...unknownAccount },
    refund: debitRefusals.refund,
  },
  statement: "api",
};

/** Maps the return codes of the debit scheme to ISO 20022 reasons. */
export const returnReasons: Readonly<Record<string, ReasonCode>> = {
  R01: "AM04",
  R02: "AC04",
  R03: "AC02",
  R04: "AC02",
  R05: "MD01",
  R06: "FOCR",
  R07: "MD01",
  R08: "MS02",
  R09: "AM04",
  R10: "MD01",
  R11: "MD01",
  R13: "RC01",
  R14: "MD07",
  R15: "MD07",
  R16: "AC06",
  R17: "AC02",
  R20: "AC13",
  R23: "MS02",
  R24: "DUPL",
  R29: "MD01",
};
