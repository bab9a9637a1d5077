import { bodyOf } from "./event";
import { type Change, type Transaction, tellChange } from "./transaction-event";

const transaction = { tenant: "demo", transactionId: "3f0c", externalTransactionId: "order-1" };
const body = (spelling: string, change: Change, about: Transaction = transaction): string =>
  bodyOf(spelling, tellChange(about, change, ['say "yes"']).fields);

describe("tellChange", () => {
  it("writes a status change as specified, with null for the first", () => {
    const change: Change = { kind: "status", oldStatus: null, newStatus: "Created" };

    expect(body("transactionStatusChanged", change, { ...transaction, externalTransactionId: null })).toBe(
      '{"event":"transactionStatusChanged","transactionId":"3f0c","externalTransactionId":null,"tenantId":"demo",' +
        '"oldStatus":null,"newStatus":"Created","newStatusMessages":["say \\"yes\\""]}',
    );
  });

  it("writes a compliance change as specified", () => {
    const change: Change = { kind: "compliance", oldStatus: "Pending", newStatus: "Approved" };

    expect(body("X", change)).toBe(
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

    expect(body("X", change)).toBe(
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

    expect(body("X", { ...payout, amount: null })).toContain('"amount":null}');
    expect(() => body("X", { ...payout, amount: { total: '1,"x":2', currency: "BRL" } })).toThrow(
      "not a plain decimal",
    );
  });
});
