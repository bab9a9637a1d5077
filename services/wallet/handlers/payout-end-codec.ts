import { PayoutState } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/kernel/errors";
import type { PayoutEnd } from "../operations/cancel-payout";

const states = { credited: PayoutState.CREDITED, cancelled: PayoutState.CANCELLED } as const;

export const stateOf = (end: PayoutEnd): PayoutState => (end === undefined ? PayoutState.UNSPECIFIED : states[end]);

export function requirePaymentId(paymentId: string): string {
  if (paymentId === "") throw invalid([{ field: "paymentId", message: "is required" }]);
  return paymentId;
}
