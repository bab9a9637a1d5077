import type { ProviderManifest, Refusals } from "../../ports";

/** Refusals of the acquirer that come with 409: the authorisation is not in a state for the step. */
export const wrongState = { capture: "not_capturable", void: "not_voidable", refund: "not_refundable" } as const;

/** Refusals that come with 422: the amount can never be taken. */
export const wrongAmount = { amount_not_of_the_currency: "13", amount_too_high: "13" } as const satisfies Refusals;

/** Refusals of an authorisation: the acquirer does not know the token. */
export const wrongToken = { unknown_token: "14" } as const satisfies Refusals;

/** The network does not accept this step for the authorisation now. */
export const notCapturable = { [wrongState.capture]: "12" } as const satisfies Refusals;
export const notRefundable = { [wrongState.refund]: "12" } as const satisfies Refusals;

/** Manifest of card collection through the acquirer. An authorisation is known by the payment's id, each later step by its own key. */
export const acquirerManifest: ProviderManifest = {
  name: "acquirer",
  role: "pull",
  hasPrepare: false,
  keepsPrepared: false,
  hasCancel: false,
  callbacks: "signed",
  finalityWindowMs: 0,
  refusals: {
    authorize: wrongToken,
    capture: { ...notCapturable, ...wrongAmount },
    refund: { ...notRefundable, ...wrongAmount },
  },
  statement: "api",
};
