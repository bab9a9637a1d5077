import { PaymentStatus as WireStatus } from "../../../proto/gen/corridor/payment/v1/payment_receipt";
import { enumCodec } from "../../shared/kernel/enum-codec";
import type { PaymentStatus } from "../domain/payment-status";

export const paymentStatusCodec = enumCodec<WireStatus, PaymentStatus>({
  [WireStatus.UNSPECIFIED]: undefined,
  [WireStatus.PENDING]: "PENDING",
  [WireStatus.AUTHORIZED]: "AUTHORIZED",
  [WireStatus.CAPTURED]: "CAPTURED",
  [WireStatus.REFUNDED]: "REFUNDED",
  [WireStatus.VOIDED]: "VOIDED",
  [WireStatus.DECLINED]: "DECLINED",
  [WireStatus.ERROR]: "ERROR",
  [WireStatus.UNRECOGNIZED]: undefined,
});
