import { type Told, tell, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { collectedMinor, isInBalance } from "./balance";
import { applyCaseCommand, type CaseCommand } from "./case-commands";
import { applyCommand } from "./commands";
import { begin, type Payment, type PaymentBase, unchanged } from "./payment";

const pull = (kind: Extract<Told, { role: "pull" }>["kind"], minor?: bigint): Told => ({
  role: "pull",
  kind,
  ...(minor === undefined ? {} : { minor }),
});
const payout = (kind: Extract<Told, { role: "payout" }>["kind"]): Told => ({ role: "payout", kind });
const approved: Told = { role: "screening", status: "APPROVED" };
const refusal: Told = { role: "refusal", code: "no" };

const all = (payment: Payment, ...told: readonly Told[]): Payment => tellAll(payment, at, ...told).next;
const free = { bps: 0, fixedMinor: 0n };
/** Terms under which every reversal needs a person's approval. */
const asksFirst = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: 0n };
const toPayout = [pull("AUTHORIZED"), payout("PREPARED"), approved, pull("CAPTURED"), payout("RELEASED")];
const paying = (facts: Partial<PaymentBase> = {}): Payment => all(newPayment("PULLPUSH", facts).next, ...toPayout);

describe("a reversal of which nothing is left", () => {
  it.each<[string, Told]>([
    ["the card scheme has taken it all", pull("CHARGED_BACK", 10_000n)],
    ["it was refunded at the acquirer", pull("REFUNDED", 10_000n)],
  ])("calls nobody: %s", (_name, gone) => {
    const payment = all(paying(), gone, payout("REJECTED"));

    expect(payment).toMatchObject({
      state: "Refunded",
      status: "REFUNDED",
      execution: { step: undefined },
      refunds: [],
    });
    expect(payment).toMatchObject({ compliance: "Refunded", openCase: { kinds: ["UNEXPECTED_FACT"] } });
  });

  it("calls nobody when more than was collected has gone", () => {
    const payment = all(paying(), pull("CHARGED_BACK", 10_000n), pull("REFUNDED", 10_000n), payout("REJECTED"));

    expect(collectedMinor(payment)).toBe(-10_000n);
    expect(payment).toMatchObject({ state: "Refunded", refunds: [] });
  });

  it.each<[string, Told]>([
    ["a dispute", pull("CHARGED_BACK", 10_000n)],
    ["a refund at the acquirer", pull("REFUNDED", 10_000n)],
  ])("ends when it is approved after %s", (_name, gone) => {
    const waiting = all(paying({ terms: asksFirst }), payout("REJECTED"), gone);
    expect(waiting).toMatchObject({ state: "PendingReversalApproval", execution: { step: undefined } });

    const ended = applyCommand(waiting, { kind: "approveReversal" }, at).next;
    expect(ended).toMatchObject({ state: "Refunded", execution: { step: undefined }, refunds: [] });
  });

  it("ends when its provider refuses it because all was taken meanwhile", () => {
    const running = all(paying(), payout("REJECTED"), pull("CHARGED_BACK", 10_000n));
    expect(running).toMatchObject({ state: "PendingReversalApproval", execution: { step: "refund" } });

    expect(all(running, refusal)).toMatchObject({
      state: "Refunded",
      execution: { step: undefined },
      pull: { refundedMinor: 10_000n },
    });
  });

  it("ends when an operator who has refused it gives the money back by a case", () => {
    const waiting = all(paying({ terms: asksFirst }), payout("REJECTED"));
    const refused = applyCommand(waiting, { kind: "refuseReversal" }, at).next;
    const begun = applyCaseCommand(refused, "c1", { kind: "beginRefund", amount: undefined }, at).next;

    expect(all(begun, pull("REFUNDED"))).toMatchObject({
      state: "Refunded",
      execution: { step: undefined },
      status: "REFUNDED",
    });
  });
});

describe("what is collected while a late authorisation is voided", () => {
  const declined = (facts: Partial<PaymentBase> = {}): Payment =>
    all(newPayment("PULL", facts).next, approved, pull("DECLINED"), pull("AUTHORIZED"));
  const cancelled = (): Payment => {
    const held = all(newPayment("PULLPUSH").next, pull("AUTHORIZED"), payout("HELD"));
    const asked = applyCommand(held, { kind: "cancel" }, at).next;
    return all(asked, payout("CANCELLED"), pull("VOIDED"), pull("AUTHORIZED"));
  };

  it.each<[string, () => Payment]>([
    ["declined", declined],
    ["cancelled and voided", cancelled],
  ])("goes back, and the payment stays as it had ended: %s", (_name, ended) => {
    const { state } = ended();
    const { step } = ended().execution;
    expect(step).toBe("void");

    const reversing = all(ended(), pull("CAPTURED"));
    expect(reversing).toMatchObject({ state, execution: { step: "refund" }, refunds: [{ minor: 10_000n }] });
    const done = all(reversing, pull("CAPTURED"), pull("REFUNDED"));
    expect(done).toMatchObject({ state, execution: { step: undefined }, openCase: undefined });
    expect(isInBalance(done)).toBe(true);
  });

  it("is a person's where the terms approve no reversal", () => {
    const payment = all(declined({ terms: asksFirst }), pull("CAPTURED"));
    expect(payment).toMatchObject({ execution: { step: undefined }, openCase: { kinds: ["UNEXPECTED_FACT"] } });

    const begun = applyCaseCommand(payment, "c1", { kind: "beginRefund", amount: undefined }, at).next;
    expect(isInBalance(all(begun, pull("REFUNDED")))).toBe(true);
  });

  it("is a person's where the acquirer refuses to give it back", () => {
    const payment = all(declined(), pull("CAPTURED"), refusal);

    expect(payment).toMatchObject({ execution: { step: undefined }, openCase: { kinds: ["REVERSAL_REFUSED"] } });
  });

  it("ends a void that an operator has begun, and the flow goes on with what was collected", () => {
    const held = all(newPayment("PULLPUSH").next, pull("AUTHORIZED"), payout("PREPARED"), {
      role: "screening",
      status: "REVIEW",
    });
    const next = tell(begin(unchanged(held), "void", at), pull("CAPTURED"), at).next;

    expect(next).toMatchObject({ state: "ManualReview", execution: { step: undefined } });
    expect(all(next, approved)).toMatchObject({ state: "PaymentCaptured", execution: { step: "release" } });
  });
});

describe("an operator who says that nothing moved", () => {
  const evidence = { raw: "a", hash: "b" };
  const settle = (fact: Pick<Told, "role"> & { kind: string }): CaseCommand =>
    ({ kind: "settleStep", fact: { ...fact, amount: undefined, movementId: undefined, evidence } }) as CaseCommand;
  const collected = all(newPayment("PULL", { pull: accountPull() }).next, approved, pull("CAPTURED"));
  const paid = all(newPayment("PUSH").next, payout("PREPARED"), approved, payout("PAID"));

  it.each<[string, Payment, CaseCommand]>([
    ["VOIDED", collected, settle({ role: "pull", kind: "VOIDED" })],
    ["DECLINED", collected, settle({ role: "pull", kind: "DECLINED" })],
    ["REJECTED", paid, settle({ role: "payout", kind: "REJECTED" })],
    ["CANCELLED", paid, settle({ role: "payout", kind: "CANCELLED" })],
  ])("is refused where money has: %s", (_name, payment, command) => {
    expect(() => applyCaseCommand(payment, "c1", command, at)).toThrow("money has moved");
  });
});
