import { bodyOf } from "./event";
import { type Change, changeNotification, type Transaction } from "./transaction-event";

const transaction = { tenant: "demo", transactionId: "3f0c", externalTransactionId: "order-1" };
const body = (spelling: string, change: Change, about: Transaction = transaction): string =>
  bodyOf(spelling, changeNotification(about, change, ['say "yes"']).fields);

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

  it("adds the reason of a change that was not requested", () => {
    const reason = { code: "AC03", whoseMove: "recipient", sentence: "The recipient's account is unknown." };
    const told = { reasonCode: "AC03", whoseMove: "recipient", reasonMessage: reason.sentence };
    const payout = { gatewayPaymentId: null, gmtReceipt: null, amount: null };
    const moved = { oldStatus: "A", newStatus: "B" };
    const changes: Change[] = [
      { kind: "status", ...moved },
      { kind: "compliance", ...moved },
      { kind: "payout", ...moved, ...payout },
    ];

    for (const change of changes) {
      expect(JSON.parse(bodyOf("X", changeNotification(transaction, change, [], reason).fields))).toMatchObject(told);
      expect(Object.keys(JSON.parse(bodyOf("X", changeNotification(transaction, change, []).fields)))).not.toContain(
        "reasonCode",
      );
    }
    const long = bodyOf(
      "X",
      changeNotification(transaction, { kind: "status", ...moved }, ["x".repeat(19_900)], reason).fields,
    );
    expect(JSON.parse(long)).toMatchObject({ ...told, newStatusMessages: [] });
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

  it("leaves out the messages that a body of 20 kB has no room for, and nothing else", () => {
    const change: Change = { kind: "status", oldStatus: null, newStatus: "Created" };
    const long = "é".repeat(5_000);
    const tell = (messages: readonly string[]): string =>
      bodyOf("X", changeNotification(transaction, change, messages).fields);

    expect(JSON.parse(tell([long, long, "third"]))).toMatchObject({ newStatus: "Created", newStatusMessages: [long] });
    expect(Buffer.byteLength(tell([long, "b", "c"]))).toBeGreaterThan(10_000);
    expect(JSON.parse(tell([long, "b", "c"]))).toMatchObject({ newStatusMessages: [long, "b", "c"] });
    const many = tell(Array.from({ length: 50_000 }, (_, index) => `${index}`));
    expect(Buffer.byteLength(many)).toBeLessThanOrEqual(20_000);
    expect(Buffer.byteLength(many)).toBeGreaterThan(19_900);
    expect(Buffer.byteLength(tell(["x".repeat(30_000)]))).toBeLessThan(200);
  });
});
