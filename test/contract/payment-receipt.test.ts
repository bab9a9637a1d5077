import fc from "fast-check";
import { renderReceipt } from "../../gateway/codec/render-receipt";
import { PaymentReceipt, PaymentStatus } from "../../proto/gen/corridor/payment/v1/payment_receipt";
import type { Payment } from "../../services/payment/domain/payment";
import { receiptFacts, receiptOf } from "../../services/payment/domain/receipt";
import { encodeReceipt } from "../../services/payment/handlers/receipt-codec";
import { formatMoney, money } from "../../services/shared/kernel/money";
import { type TransactionState, transactionMoves } from "../../services/shared/kernel/transaction-states";
import { newPayment, withLegs } from "../support/payment-builder";

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const word = fc.constantFrom("approved", "Grüße", '"quoted"', "05");

const payments: fc.Arbitrary<Payment> = fc
  .record({
    type: fc.constantFrom("PUSH", "PULL", "PULLPUSH"),
    state: fc.constantFrom(...(Object.keys(transactionMoves) as TransactionState[])),
    status: fc.constantFrom("PENDING", "AUTHORIZED", "CAPTURED", "REFUNDED", "VOIDED", "DECLINED", "ERROR"),
    minor: fc.bigInt(0n, 10n ** 17n),
    currency: fc.constantFrom("USD", "JPY", "KWD", "CLF"),
    automaticReversed: fc.boolean(),
    cause: optional(fc.record({ code: fc.constantFrom("AC04", "51", "ZZZZ"), leg: fc.constant("payout" as const) })),
    pull: fc.record({
      responseCode: optional(fc.constantFrom("00", "51")),
      message: optional(word),
      authCode: optional(word),
      acsUrl: optional(fc.constant("https://issuer.example/3ds")),
    }),
  })
  .map(({ type, minor, currency, pull, ...facts }) => ({
    ...withLegs(newPayment(type, { amount: money(minor, currency) }).next, { pull }),
    ...facts,
  }));

it("renders a receipt after its way over the wire with every fact of the payment as it was", () => {
  fc.assert(
    fc.property(payments, (payment) => {
      const receipt = encodeReceipt(receiptOf(payment, receiptFacts(payment, 1)));
      const received = PaymentReceipt.decode(PaymentReceipt.encode(receipt).finish());

      const { id, externalId, type, pull, amount } = payment;
      const status = type === "PULLPUSH" ? "PENDING" : payment.status;
      const text = JSON.stringify(renderReceipt(received));
      expect(text).toContain(`{"amount":${formatMoney(amount)},"paymentId":`);
      expect(JSON.parse(text)).toMatchObject({
        paymentId: id,
        parentPaymentId: id,
        externalPaymentId: externalId,
        status,
        captured: status === "CAPTURED",
        automaticReversed: payment.automaticReversed,
        ...(pull?.message !== undefined && { message: pull.message }),
        ...(pull?.authCode !== undefined && { authCode: pull.authCode }),
      });
    }),
    { numRuns: 1_000 },
  );
});

it("renders no receipt of a form that it does not know, and none without a status", () => {
  const receipt = encodeReceipt(receiptOf(newPayment("PUSH").next, receiptFacts(newPayment("PUSH").next, 2)));

  expect(() => renderReceipt(receipt)).toThrow("later release");
  expect(() => renderReceipt({ ...receipt, answerForm: 1, status: PaymentStatus.UNRECOGNIZED })).toThrow("status");
  expect(() => renderReceipt(undefined)).toThrow("no receipt");
});
