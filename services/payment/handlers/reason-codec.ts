import type { Reason } from "../../../proto/gen/corridor/payment/v1/payment_events";
import { type Cause, describeReason } from "../../shared/kernel/reason-codes";

export const encodeReason = (cause: Cause | undefined): Reason | undefined =>
  cause === undefined ? undefined : describeReason(cause);
