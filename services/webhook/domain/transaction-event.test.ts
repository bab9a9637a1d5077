import { type Change, deliveryBody, type TransactionEvent } from "./transaction-event";

const transaction = { tenant: "demo", transactionId: "3f0c", externalTransactionId: "order-1" };
const event = (change: Change): TransactionEvent => ({
  id: "evt-1",
  sequence: 1,
  occurredAt: new Date("2026-01-01T00:00:00Z"),
  traceparent: undefined,
  messages: ['say "yes"'],
  change,
});

describe("deliveryBody", () => {
  it("writes a status change as specified, with null for the first", () => {
    const body = deliveryBody(
      "transactionStatusChanged",
      { ...transaction, externalTransactionId: null },
      event({ kind: "status", oldStatus: null, newStatus: "Created" }),
    );

    expect(body).toBe(
      '{"event":"transactionStatusChanged","transactionId":"3f0c","externalTransactionId":null,"tenantId":"demo",' +
        '"oldStatus":null,"newStatus":"Created","newStatusMessages":["say \\"yes\\""]}',
    );
  });

  it("writes a compliance change as specified", () => {
    const change: Change = { kind: "compliance", oldStatus: "Pending", newStatus: "Approved" };

    expect(deliveryBody("X", transaction, event(change))).toBe(
      '{"event":"X","transactionId":"3f0c","externalTransactionId":"order-1","tenantId":"demo",' +
        '"oldComplianceStatus":"Pending","newComplianceStatus":"Approved","newStatusMessages":["say \\"yes\\""]}',
    );
  });

  it("writes a payout change as specified, its total exactly", () => {
    const change: Change = {
      kind: "payout",
      oldStatus: "PENDING",
      newStatus: "CAPTURED",
      gatewayPaymentId: "E2E",
      gmtReceipt: null,
      amount: { total: "999999999999.0123456789", currency: "BRL" },
    };

    expect(deliveryBody("X", transaction, event(change))).toBe(
      '{"event":"X","transactionId":"3f0c","externalTransactionId":"order-1","tenantId":"demo",' +
        '"oldPayoutStatus":"PENDING","newPayoutStatus":"CAPTURED","newStatusMessages":["say \\"yes\\""],' +
        '"gatewayPaymentId":"E2E","gmtReceipt":null,"amount":{"total":999999999999.0123456789,"currency":"BRL"}}',
    );
  });

  it("writes null for an unknown amount, and refuses text that is not a number", () => {
    const payout = {
      kind: "payout",
      oldStatus: null,
      newStatus: "X",
      gatewayPaymentId: null,
      gmtReceipt: null,
    } as const;

    expect(deliveryBody("X", transaction, event({ ...payout, amount: null }))).toContain('"amount":null}');
    expect(() =>
      deliveryBody("X", transaction, event({ ...payout, amount: { total: '1,"x":2', currency: "BRL" } })),
    ).toThrow("not a plain decimal");
  });
});
