import {
  type PaymentReceipt as WireReceipt,
  PaymentStatus as WireStatus,
} from "../../../proto/gen/corridor/payment/v1/payment_receipt";
import { enumCodec } from "../../shared/kernel/enum-codec";
import type { PaymentStatus } from "../domain/payment";
import type { PaymentReceipt } from "../domain/receipt";
import { encodeMoney } from "./money-codec";

const statusCodec = enumCodec<WireStatus, PaymentStatus>({
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

export const encodeReceipt = ({
  form,
  paymentId,
  externalId,
  amount,
  status,
  ...facts
}: PaymentReceipt): WireReceipt => ({
  ...facts,
  answerForm: form,
  paymentId,
  parentPaymentId: paymentId,
  externalPaymentId: externalId,
  amount: encodeMoney(amount),
  status: statusCodec.encode(status),
});
