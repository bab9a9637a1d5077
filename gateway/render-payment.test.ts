import type { PaymentRecord } from "../proto/gen/corridor/payment/v1/payment_service";
import { renderPaymentV1, renderPaymentV2 } from "./render-payment";

const at = (time: string): Date => new Date(`2026-02-03T${time}Z`);

const record: PaymentRecord = {
  paymentId: "p",
  parentPaymentId: "p",
  externalPaymentId: "e",
  requestedAt: at("03:00:00"),
  capturedAt: at("02:00:00"),
  amount: { amountMinor: 1_050n, currency: "TND" },
  capturedMinor: 1_050n,
  refundedMinor: 50n,
  status: "CAPTURED",
  approved: true,
  ipAddress: "::1",
  billing: undefined,
  customer: undefined,
  fees: [{ sourceId: "p", eventId: "CAPTURE", createdAt: at("02:00:01"), amountMinor: 7n }],
  history: [
    {
      paymentId: "p",
      requestedAt: at("01:00:00"),
      code: "PAYMENT",
      status: "PENDING",
      description: "a",
      requestedMinor: 1_050n,
    },
    {
      paymentId: "p",
      requestedAt: at("02:30:00"),
      code: "REFUND",
      status: "CAPTURED",
      description: "b",
      requestedMinor: 50n,
    },
  ],
  transactionState: "Completed",
  card: undefined,
};

/** As the caller parses it: amounts are written digit by digit. */
const read = (rendered: object): unknown => JSON.parse(JSON.stringify(rendered));

describe("renderPaymentV1 and renderPaymentV2", () => {
  it("write amounts with the currency's own decimals, and times in UTC", () => {
    expect(read(renderPaymentV1(record))).toMatchObject({
      requestedOn: "2026-02-03 03:00:00",
      capturedOn: "2026-02-03 02:00:00",
      refundedOn: "2026-02-03 02:30:00",
      amount: 1.05,
      capturedAmount: 1.05,
      refundedAmount: 0.05,
      transactionFees: [
        { sourceId: "p", source: "PAYMENT", eventId: "CAPTURE", dtCreated: "2026-02-03 02:00:01", amount: 0.007 },
      ],
      history: [
        {
          paymentId: "p",
          requestedOn: "2026-02-03 01:00:00",
          code: "PAYMENT",
          status: "PENDING",
          description: "a",
          requestedAmount: 1.05,
        },
        { code: "REFUND", requestedAmount: 0.05 },
      ],
    });
  });

  it("differ in the billing address alone, and never show what is internal", () => {
    const { billing, ...first } = renderPaymentV1(record);
    const second = renderPaymentV2(record);

    expect(second).toEqual({ ...first, billing: { ...billing, line2: "", countryCode: "" } });
    expect(second).not.toHaveProperty("transactionState");
    expect(second).not.toHaveProperty("card");
  });
});
