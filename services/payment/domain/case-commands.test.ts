import { payoutFact, type Told, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, cardPull, newPayment } from "../../../test/support/payment-builder";
import { applyFact } from "./apply-fact";
import { applyCaseCommand, type CaseCommand } from "./case-commands";
import { applyCommand } from "./commands";
import type { Evidence } from "./fact";
import { type Payment, unchanged } from "./payment";

const evidence: Evidence = { raw: "line 7 of the statement", hash: "h" };
const approved: Told = { role: "screening", status: "APPROVED" };
const refuse = (payment: Payment) => applyCaseCommand(payment, "c1", { kind: "refuseStep", evidence }, at);

const pulled = (...more: Told[]): Payment => tellAll(newPayment("PULL").next, at, approved, ...more).next;

describe("a step that an operator settles as refused", () => {
  it("ends a refund that nobody answers, so that another one may follow", () => {
    const completed = pulled({ role: "pull", kind: "AUTHORIZED" }, { role: "pull", kind: "CAPTURED" });
    const asked = { kind: "refund", externalId: "r1", amount: undefined, reason: undefined } as const;
    const refunding = applyCommand(completed, asked, at).next;

    const refused = refuse(refunding).next;

    expect(refunding.step).toBe("refund");
    expect(refused).toMatchObject({ state: "Completed", step: undefined, refunds: [{ status: "DECLINED" }] });
    expect(applyCommand(refused, { ...asked, externalId: "r2" }, at).next.step).toBe("refund");
  });

  it.each<[string, Payment, Partial<Payment>]>([
    ["an authorisation", pulled(), { state: "PaymentDeclined", step: undefined }],
    ["a capture", pulled({ role: "pull", kind: "AUTHORIZED" }), { state: "PaymentAuthorized", step: "void" }],
    ["a preparation", newPayment("PUSH").next, { state: "Cancelled", step: undefined }],
    [
      "a payout that was released and is waited for",
      tellAll(newPayment("PUSH").next, at, { role: "payout", kind: "PREPARED" }, approved, {
        role: "payout",
        kind: "RELEASED",
      }).next,
      { state: "Cancelled", step: undefined },
    ],
  ])("lets the flow go on as its provider's refusal does: %s", (_name, payment, expected) => {
    expect(refuse(payment).next).toMatchObject(expected);
  });

  it("moves nothing", () => {
    expect(refuse(pulled()).events.filter(({ kind }) => kind === "money")).toEqual([]);
  });

  it.each<[string, Payment]>([
    ["nothing is under way", pulled({ role: "pull", kind: "AUTHORIZED" }, { role: "pull", kind: "CAPTURED" })],
    ["an authorisation is being voided", { ...pulled({ role: "pull", kind: "AUTHORIZED" }), step: "void" }],
    [
      "a payout is being taken back",
      tellAll(
        newPayment("PUSH").next,
        at,
        { role: "payout", kind: "PREPARED" },
        { role: "screening", status: "REJECTED" },
      ).next,
    ],
    ["compliance decides", newPayment("PULL", { pull: cardPull() }).next],
    [
      "a debit has to settle",
      tellAll(newPayment("PULL", { pull: accountPull() }).next, at, approved, { role: "pull", kind: "CAPTURED" }).next,
    ],
  ])("is not possible while %s", (_name, payment) => {
    expect(() => refuse(payment)).toThrow(expect.objectContaining({ reason: "STATE_CONFLICT" }));
  });
});

describe("a payout that is paid while it is taken back", () => {
  const rejected: Told = { role: "screening", status: "REJECTED" };
  const takenBack = tellAll(newPayment("PUSH").next, at, { role: "payout", kind: "PREPARED" }, rejected).next;
  const paid = applyFact(unchanged(takenBack), payoutFact(takenBack, "PAID"), at);

  it("is not asked about for ever, but is a person's matter", () => {
    expect(takenBack).toMatchObject({ state: "ReviewRejected", step: "cancel" });
    expect(paid.next).toMatchObject({ step: undefined, dueAt: undefined, payoutStatus: "CAPTURED" });
    expect(paid.next.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
  });

  it("goes on to its end once the money has come back", () => {
    const back = applyFact(unchanged(paid.next), payoutFact(paid.next, "RETURNED"), at);

    expect(back.next).toMatchObject({ state: "Cancelled", step: undefined, payoutStatus: "REFUNDED" });
  });

  it("leaves the payer's money to a person", () => {
    const authorized: Told = { role: "pull", kind: "AUTHORIZED" };
    const { next } = tellAll(
      newPayment("PULLPUSH").next,
      at,
      authorized,
      { role: "payout", kind: "PREPARED" },
      rejected,
    );

    const done = applyFact(unchanged(next), payoutFact(next, "PAID"), at).next;

    expect(done).toMatchObject({ state: "ReviewRejected", step: undefined });
    expect(applyCaseCommand(done, "c2", { kind: "beginVoid" }, at).next.step).toBe("void");
  });
});

describe("the money of a payment that compliance has stopped", () => {
  const blocked: Told = { role: "screening", status: "BLOCKED" };
  const prepared: Told = { role: "payout", kind: "PREPARED" };
  const authorized: Told = { role: "pull", kind: "AUTHORIZED" };
  const push = tellAll(newPayment("PUSH").next, at, prepared, blocked).next;
  const pullPush = tellAll(newPayment("PULLPUSH").next, at, authorized, prepared, blocked).next;

  const approvedFirst = [
    prepared,
    approved,
    { role: "pull", kind: "CAPTURED" },
    { role: "pull", kind: "SETTLED" },
  ] as const;
  const account = newPayment("PULLPUSH", { pull: accountPull() }).next;
  const settled = tellAll(account, at, ...approvedFirst, blocked).next;
  const named: Told = { ...blocked, blockedCase: "one" };
  const inReview: Told = { role: "screening", status: "REVIEW" };

  it.each<[string, Payment, CaseCommand]>([
    ["releases nothing under an open review", settled, { kind: "beginRelease" }],
    ["refunds nothing under an open review", settled, { kind: "beginRefund", amount: undefined }],
    ["releases nothing that is blocked", tellAll(settled, at, named).next, { kind: "beginRelease" }],
    ["takes nothing back that is blocked", tellAll(push, at, named).next, { kind: "beginCancel" }],
    [
      "takes nothing back that was blocked in review",
      tellAll(newPayment("PUSH").next, at, prepared, inReview, named).next,
      { kind: "beginCancel" },
    ],
    ["takes no payout back", push, { kind: "beginCancel" }],
    ["takes no payout of a PULLPUSH back", pullPush, { kind: "beginCancel" }],
    ["voids no authorisation", pullPush, { kind: "beginVoid" }],
    ["refunds nothing", pullPush, { kind: "beginRefund", amount: undefined }],
    ["releases nothing", pullPush, { kind: "beginRelease" }],
  ])("is moved by no command on a case: an operator %s", (_name, payment, command) => {
    expect(["BlockedPendingReview", "ManualReview", "PaymentSettled"]).toContain(payment.state);

    expect(() => applyCaseCommand(payment, "c1", command, at)).toThrow(
      expect.objectContaining({ reason: "STATE_CONFLICT" }),
    );
  });

  it("may be taken back once the review has ended", () => {
    const reviewed = { ...push, state: "ManualReview" } as const;

    expect(applyCaseCommand(reviewed, "c1", { kind: "beginCancel" }, at).next.step).toBe("cancel");
  });
});
