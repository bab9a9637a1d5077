import type { FindPayoutRequest, FindPayoutResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { FindPayout } from "../operations/cancel-payout";
import { requirePaymentId, stateOf } from "./payout-end-codec";

export const findPayoutHandler =
  (findPayout: FindPayout) =>
  async ({ tenant, paymentId }: FindPayoutRequest): Promise<FindPayoutResponse> => ({
    state: stateOf(await findPayout({ tenant, paymentId: requirePaymentId(paymentId) })),
  });
