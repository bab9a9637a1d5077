import { PaymentReceipt, PaymentStatus } from "../../../proto/gen/corridor/payment/v1/payment_receipt";

/** A payment that no rule of the gateway refuses. */
export const pullText = JSON.stringify({
  externalPaymentId: "e",
  paymentType: "PULL",
  amount: { total: 1.1, currency: "USD" },
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    paymentMethod: { type: "BANK_DEPOSIT", accountTokenId: "token-1" },
  },
});

/** What a payment service may answer to it. */
export const pendingReceipt: PaymentReceipt = {
  ...PaymentReceipt.decode(new Uint8Array()),
  answerForm: 1,
  paymentId: "p",
  parentPaymentId: "p",
  externalPaymentId: "e",
  amount: { amountMinor: 110n, currency: "USD" },
  createdAt: new Date("2026-02-03T04:05:06Z"),
  status: PaymentStatus.PENDING,
  responseCode: "09",
};
