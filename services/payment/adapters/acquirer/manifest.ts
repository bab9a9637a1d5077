import type { ProviderManifest } from "../../ports";

/** Refusals of the acquirer that come with 409: the authorisation is not in a state for the step. */
export const wrongState = { capture: "not_capturable", void: "not_voidable", refund: "not_refundable" } as const;

/** Refusals that come with 422: the amount can never be taken. */
export const wrongAmount = ["amount_not_of_the_currency", "amount_too_high"] as const;

/** Refusals of an authorisation: the token is none of the acquirer's. */
export const wrongToken = ["unknown_token"] as const;

/** Cards through the acquirer. An authorisation goes by the payment's id, what follows by its step's key. */
export const acquirerManifest: ProviderManifest = {
  name: "acquirer",
  role: "pull",
  hasPrepare: false,
  hasCancel: false,
  callbacks: "signed",
  finalityWindowMs: 0,
  refusals: {
    authorize: wrongToken,
    capture: [wrongState.capture, ...wrongAmount],
    refund: [wrongState.refund, ...wrongAmount],
  },
  statement: "api",
};
