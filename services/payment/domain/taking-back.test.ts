import { type Told, tell, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { money } from "../../shared/kernel/money";
import { isInBalance } from "./balance";
import { applyCaseCommand } from "./case-commands";
import { applyCommand } from "./commands";
import { begin, type Change, type Payment, unchanged } from "./payment";
import { refusePayout } from "./payout-facts";
import { isUndone } from "./steps";

const pull = (kind: Extract<Told, { role: "pull" }>["kind"], minor?: bigint): Told => ({
  role: "pull",
  kind,
  ...(minor === undefined ? {} : { minor }),
});
const payout = (kind: Extract<Told, { role: "payout" }>["kind"]): Told => ({ role: "payout", kind });
const [approved, rejected]: readonly Told[] = [
  { role: "screening", status: "APPROVED" },
  { role: "screening", status: "REJECTED" },
];

const all = (payment: Payment, ...told: readonly (Told | undefined)[]): Payment =>
  tellAll(payment, at, ...told.filter((one) => one !== undefined)).next;
const refusal = { code: "REFUSED", reason: { code: "AC03", text: undefined }, evidence: undefined };
const refused = (payment: Payment): Change | undefined => refusePayout(unchanged(payment), refusal, at);

describe("a payout that is to be taken back and that its rail refuses as a whole", () => {
  it.each<[string, Payment]>([
    ["its caller cancels it", applyCommand(all(newPayment("PUSH").next, payout("HELD")), { kind: "cancel" }, at).next],
    ["screening rejects it", all(newPayment("PUSH").next, payout("PREPARED"), rejected)],
  ])("is taken back, and asks for no cancel any more: %s", (_name, payment) => {
    expect(payment.execution.step).toBe("cancel");
    expect(isUndone("cancel", "refused")).toBe(false);
    expect(refused(payment)?.next).toMatchObject({
      state: "Cancelled",
      execution: { step: undefined },
      payoutStatus: "VOIDED",
    });
  });

  it("lets the payer's authorisation go", () => {
    const held = all(newPayment("PULLPUSH").next, pull("AUTHORIZED"), payout("HELD"));
    const cancelling = applyCommand(held, { kind: "cancel" }, at).next;

    expect(refused(cancelling)?.next).toMatchObject({ state: "CancelRequested", execution: { step: "void" } });
  });

  it("is refused after a release that its rail did not know", () => {
    const released = all(newPayment("PUSH").next, payout("PREPARED"), approved);
    const next = refused(begin(unchanged(released), "cancel", at).next)?.next;

    expect(next).toMatchObject({
      state: "Cancelled",
      status: "DECLINED",
      execution: { step: undefined },
      cause: { code: "AC03" },
    });
  });

  it("is not undone by the refusal once it was paid", () => {
    const rejecting = all(newPayment("PUSH").next, payout("PREPARED"), rejected);
    const paid = tell(unchanged(rejecting), payout("PAID"), at).next;

    expect(refused(paid)).toBeUndefined();
  });
});

describe("a prepared payout whose collection does not last", () => {
  const debit = (): Payment => newPayment("PULLPUSH", { pull: accountPull() }).next;
  const waiting = (): Payment => all(debit(), payout("PREPARED"), approved, pull("CAPTURED"));
  const settled = (): Payment => all(waiting(), pull("SETTLED"));
  const short = (): Payment =>
    all(newPayment("PULLPUSH").next, pull("AUTHORIZED"), payout("PREPARED"), approved, pull("CAPTURED", 6_000n));
  /** An operator gives a part back, and meanwhile the card scheme takes the rest. */
  const givenBack = (payment: Payment): Payment => {
    const begun = applyCaseCommand(payment, "c1", { kind: "beginRefund", amount: money(4_000n, "USD") }, at).next;
    return all(begun, pull("CHARGED_BACK", 2_000n), pull("REFUNDED"));
  };

  const stopped: readonly [string, () => Payment][] = [
    ["the debit came back before it settled", () => all(waiting(), pull("RETURNED"))],
    ["the debit came back while it was screened again", () => all(settled(), pull("RETURNED"))],
    ["screening rejects it once the debit has settled", () => all(settled(), rejected)],
    ["an operator and the card scheme give back what was collected", () => givenBack(short())],
    ["the acquirer voids what it has collected too little of", () => all(short(), pull("VOIDED"))],
  ];
  const ends = [payout("CANCELLED"), payout("REJECTED"), refused] as const;

  it.each(stopped)("is taken back before money goes back: %s", (_name, stop) => {
    expect(stop()).toMatchObject({
      state: "PendingReversalApproval",
      execution: { step: "cancel" },
      payoutStatus: "AUTHORIZED",
    });

    for (const end of ends) {
      const back = typeof end === "function" ? (end(stop())?.next ?? stop()) : all(stop(), end);
      expect(back).toMatchObject({ payoutStatus: "VOIDED" });
      const over = back.execution.step === "refund" ? all(back, pull("REFUNDED")) : back;
      expect(over).toMatchObject({
        state: "Refunded",
        status: "REFUNDED",
        compliance: "Refunded",
        execution: { step: undefined },
      });
      expect(isInBalance(over)).toBe(true);
    }
  });

  it.each(stopped)("is a person's once its recipient was paid all the same: %s", (_name, stop) => {
    const paid = all(stop(), payout("PAID"));

    expect(paid).toMatchObject({ payoutStatus: "CAPTURED", openCase: { kinds: expect.any(Array) } });
    expect(paid.execution.step).toBeUndefined();
    const isGone = paid.pull?.refundedMinor === paid.pull?.capturedMinor;
    expect(paid.state).toBe(isGone ? "Refunded" : "PendingReversalApproval");
    // Money that comes back afterwards lets the reversal go on.
    if (!isGone)
      expect(all(paid, payout("RETURNED"))).toMatchObject({ execution: { step: "refund" }, payoutStatus: "REFUNDED" });
  });

  it("leaves nothing to give back when the debit comes back meanwhile", () => {
    const payment = all(settled(), rejected, pull("RETURNED"), payout("CANCELLED"));

    expect(payment).toMatchObject({ state: "Refunded", refunds: [], openCase: undefined });
  });

  it("asks a person about the reversal only when it is taken back", () => {
    const free = { bps: 0, fixedMinor: 0n };
    const terms = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: 0n };
    const payment = all({ ...settled(), terms }, rejected, payout("CANCELLED"));

    expect(payment).toMatchObject({
      state: "PendingReversalApproval",
      execution: { step: undefined },
      payoutStatus: "VOIDED",
    });
    expect(applyCommand(payment, { kind: "approveReversal" }, at).next.execution.step).toBe("refund");
  });
});
