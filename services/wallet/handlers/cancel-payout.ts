import {
  type CancelPayoutRequest,
  type CancelPayoutResponse,
  type FindPayoutRequest,
  type FindPayoutResponse,
  PayoutState,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/kernel/errors";
import type { CancelPayout, FindPayout, PayoutEnd } from "../operations/cancel-payout";

const states = { credited: PayoutState.CREDITED, cancelled: PayoutState.CANCELLED } as const;
const stateOf = (end: PayoutEnd): PayoutState => (end === undefined ? PayoutState.UNSPECIFIED : states[end]);

export const cancelPayoutHandler =
  (cancelPayout: CancelPayout) =>
  async ({ tenant, paymentId }: CancelPayoutRequest): Promise<CancelPayoutResponse> => ({
    state: stateOf(await cancelPayout({ tenant, paymentId: requireId(paymentId) })),
  });

export const findPayoutHandler =
  (findPayout: FindPayout) =>
  async ({ tenant, paymentId }: FindPayoutRequest): Promise<FindPayoutResponse> => ({
    state: stateOf(await findPayout({ tenant, paymentId: requireId(paymentId) })),
  });

function requireId(paymentId: string): string {
  if (paymentId === "") throw invalid([{ field: "payment_id", message: "is required" }]);
  return paymentId;
}
