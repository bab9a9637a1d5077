import type { Reason } from "../proto/gen/corridor/payment/v1/payment_events";

/** Why, as fields of whatever it is said of; none where nobody has to ask. */
export const renderReason = (reason: Reason | undefined): object =>
  reason === undefined ? {} : { reasonCode: reason.code, whoseMove: reason.whoseMove, reasonMessage: reason.sentence };
