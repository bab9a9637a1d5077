import type { CancelPayoutRequest, CancelPayoutResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { CancelPayout } from "../operations/cancel-payout";
import { requirePaymentId, stateOf } from "./payout-end-codec";

export const cancelPayoutHandler =
  (cancelPayout: CancelPayout) =>
  async ({ tenant, paymentId }: CancelPayoutRequest): Promise<CancelPayoutResponse> => ({
    state: stateOf(await cancelPayout({ tenant, paymentId: requirePaymentId(paymentId) })),
  });
