import { payoutFact, type Told, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, cardPull, newPayment } from "../../../test/support/payment-builder";
import { applyFact } from "./apply-fact";
import { applyCaseCommand, type CaseCommand } from "./case-commands";
import { applyCommand } from "./commands";
import type { Evidence, PayoutFactKind, PullFactKind } from "./fact";
import { begin, type Payment, unchanged } from "./payment";
import type { Step } from "./steps";

const begun = (step: Step, payment: Payment): Payment => begin(unchanged(payment), step, at).next;

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

    expect(refunding.execution.step).toBe("refund");
    expect(refused).toMatchObject({
      state: "Completed",
      execution: { step: undefined },
      refunds: [{ status: "DECLINED" }],
    });
    expect(applyCommand(refused, { ...asked, externalId: "r2" }, at).next.execution.step).toBe("refund");
  });

  it.each<[string, Payment, object]>([
    ["an authorisation", pulled(), { state: "PaymentDeclined", execution: { step: undefined } }],
    [
      "a capture",
      pulled({ role: "pull", kind: "AUTHORIZED" }),
      { state: "PaymentAuthorized", execution: { step: "void" } },
    ],
    ["a preparation", newPayment("PUSH").next, { state: "Cancelled", execution: { step: undefined } }],
    [
      "a payout that was released and is waited for",
      tellAll(newPayment("PUSH").next, at, { role: "payout", kind: "PREPARED" }, approved, {
        role: "payout",
        kind: "RELEASED",
      }).next,
      { state: "Cancelled", execution: { step: undefined } },
    ],
  ])("lets the flow go on as its provider's refusal does: %s", (_name, payment, expected) => {
    expect(refuse(payment).next).toMatchObject(expected);
  });

  const debit = (...more: Told[]): Payment =>
    tellAll(newPayment("PULL", { pull: accountPull() }).next, at, approved, { role: "pull", kind: "CAPTURED" }, ...more)
      .next;

  it("ends the wait of a debit that has come back in part: it never settles", () => {
    const waiting = debit({ role: "pull", kind: "RETURNED", minor: 9_900n });

    const { next, history } = refuse(waiting);

    expect(waiting).toMatchObject({ state: "WaitingSettlement", openCase: { kinds: ["UNEXPECTED_FACT"] } });
    expect(next).toMatchObject({
      state: "Refunded",
      status: "REFUNDED",
      execution: { step: undefined, dueAt: undefined },
    });
    expect(history.at(-1)).toMatchObject({ code: "REFUND", amount: { minor: 9_900n } });
    const closed = applyCaseCommand(next, "c2", { kind: "close" }, at).next;
    expect(closed.openCase).toBeUndefined();
  });

  it("moves nothing", () => {
    expect(refuse(pulled()).events.filter(({ kind }) => kind === "money")).toEqual([]);
  });

  it.each<[string, Payment]>([
    ["nothing is under way", pulled({ role: "pull", kind: "AUTHORIZED" }, { role: "pull", kind: "CAPTURED" })],
    ["an authorisation is being voided", begun("void", pulled({ role: "pull", kind: "AUTHORIZED" }))],
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
    ["a debit has to settle", debit()],
  ])("is not possible while %s", (_name, payment) => {
    expect(() => refuse(payment)).toThrow(expect.objectContaining({ reason: "STATE_CONFLICT" }));
  });
});

describe("a payout that is paid while it is taken back", () => {
  const rejected: Told = { role: "screening", status: "REJECTED" };
  const takenBack = tellAll(newPayment("PUSH").next, at, { role: "payout", kind: "PREPARED" }, rejected).next;
  const paid = applyFact(unchanged(takenBack), payoutFact(takenBack, "PAID"), at);

  it("is not asked about for ever, but is a person's matter", () => {
    expect(takenBack).toMatchObject({ state: "ReviewRejected", execution: { step: "cancel" } });
    expect(paid.next).toMatchObject({ execution: { step: undefined, dueAt: undefined }, payoutStatus: "CAPTURED" });
    expect(paid.next.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
  });

  it("goes on to its end once the money has come back", () => {
    const back = applyFact(unchanged(paid.next), payoutFact(paid.next, "RETURNED"), at);

    expect(back.next).toMatchObject({ state: "Cancelled", execution: { step: undefined }, payoutStatus: "REFUNDED" });
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

    expect(done).toMatchObject({ state: "ReviewRejected", execution: { step: undefined } });
    expect(applyCaseCommand(done, "c2", { kind: "beginVoid" }, at).next.execution.step).toBe("void");
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
    const reviewed = { ...push, state: "ReviewApproved" } as const;

    expect(applyCaseCommand(reviewed, "c1", { kind: "beginCancel" }, at).next.execution.step).toBe("cancel");
  });
});

const story = (type: "PULL" | "PULLPUSH", ...told: Told[]): Payment => tellAll(newPayment(type).next, at, ...told).next;
const pull = (kind: PullFactKind, minor?: bigint): Told => ({
  role: "pull",
  kind,
  ...(minor === undefined ? {} : { minor }),
});
const payout = (kind: PayoutFactKind): Told => ({ role: "payout", kind });
const conflict = expect.objectContaining({ reason: "STATE_CONFLICT" });

describe("a step that an operator begins", () => {
  const allowed = [pull("AUTHORIZED"), payout("PREPARED")];
  const reviewed = story("PULLPUSH", ...allowed, { role: "screening", status: "REVIEW" });
  const held = story("PULLPUSH", pull("AUTHORIZED"), payout("HELD"));
  const debit = newPayment("PULLPUSH", { pull: accountPull() }).next;
  const settling = tellAll(debit, at, payout("PREPARED"), approved, pull("CAPTURED")).next;
  const refused = story("PULLPUSH", ...allowed, approved, pull("CAPTURED"), payout("RELEASED"), payout("REJECTED"), {
    role: "refusal",
    code: "x",
  });

  it.each<[string, Payment, CaseCommand]>([
    ["a void of what compliance decides about", reviewed, { kind: "beginVoid" }],
    ["a cancel of what compliance decides about", reviewed, { kind: "beginCancel" }],
    ["a void of what its rail holds", held, { kind: "beginVoid" }],
    ["a cancel of what its rail may let go at any moment", held, { kind: "beginCancel" }],
    ["a cancel while the debit has to settle", settling, { kind: "beginCancel" }],
    ["a refund while the debit may still come back", settling, { kind: "beginRefund", amount: undefined }],
    ["a cancel of a payout that was rejected", refused, { kind: "beginCancel" }],
  ])("is refused where nothing would end it: %s", (_name, payment, command) => {
    expect(payment.execution.step).toBeUndefined();
    expect(() => applyCaseCommand(payment, "c1", command, at)).toThrow(conflict);
  });

  it("is no release of a payout that its second screening judges, or has refused", () => {
    const settled = tellAll(settling, at, pull("SETTLED")).next;
    const judged = tellAll(settled, at, { role: "screening", status: "REVIEW" }).next;
    const terms = { ...judged.terms, reversalLimitMinor: 0n };
    const stopped = tellAll(
      { ...judged, terms },
      at,
      { role: "screening", status: "REJECTED" },
      payout("CANCELLED"),
    ).next;
    const back = applyCommand(stopped, { kind: "refuseReversal" }, at).next;

    for (const payment of [judged, back]) {
      expect(() => applyCaseCommand(payment, "c1", { kind: "beginRelease" }, at)).toThrow(conflict);
    }
  });
});

describe("a refund that an operator settles", () => {
  const refund = (payment: Payment, externalId: string): Payment =>
    applyCommand(payment, { kind: "refund", externalId, amount: { digits: 10n, scale: 0 }, reason: undefined }, at)
      .next;
  const settle = (payment: Payment, movementId?: string): Payment => {
    const amount = { minor: 1_000n, currency: "USD" };
    const fact = { role: "pull", kind: "REFUNDED", amount, movementId, evidence } as const;
    return applyCaseCommand(payment, "c1", { kind: "settleStep", fact }, at).next;
  };

  it("is the one that is under way, under our own key of it", () => {
    const running = refund(pulled(pull("AUTHORIZED"), pull("CAPTURED")), "r1");

    const done = settle(running);

    expect(done).toMatchObject({
      execution: { step: undefined },
      refunds: [{ status: "REFUNDED" }],
      pull: { refundedMinor: 1_000n },
    });
    expect(done.facts.at(-1)?.movementId).toBe(running.refunds[0]?.id);
  });

  it("is another one than the refund of the same amount before it, by its movement", () => {
    const first = settle(refund(pulled(pull("AUTHORIZED"), pull("CAPTURED")), "r1"), "m1");

    const second = settle(refund(first, "r2"), "m2");

    expect(second).toMatchObject({ execution: { step: undefined }, pull: { refundedMinor: 2_000n } });
    expect(second.refunds.map(({ status }) => status)).toEqual(["REFUNDED", "REFUNDED"]);
  });
});

describe("an operator who says that nothing was collected", () => {
  it.each<PullFactKind>(["VOIDED", "DECLINED"])(
    "is refused where money was: %s posts no return that never was",
    (kind) => {
      const payment = pulled(pull("AUTHORIZED"), pull("CAPTURED"));
      const fact = {
        role: "pull",
        kind: kind as "VOIDED",
        amount: undefined,
        movementId: undefined,
        evidence,
      } as const;

      expect(() => applyCaseCommand(payment, "c1", { kind: "settleStep", fact }, at)).toThrow(conflict);
    },
  );
});

describe("a call that money has overtaken", () => {
  it("is given up by an operator, and the payment waits for a person", () => {
    const voiding = begun("void", story("PULL", approved, pull("AUTHORIZED"), pull("CAPTURED")));

    const dropped = refuse(voiding).next;

    expect(dropped).toMatchObject({ execution: { step: undefined }, openCase: { kinds: ["UNEXPECTED_FACT"] } });
  });

  it("leaves a payout that was paid while it was taken back a payment that its case can end", () => {
    const preparing = begun("cancel", newPayment("PUSH").next);
    const paid = applyFact(unchanged(preparing), payoutFact(preparing, "PAID"), at).next;

    const dropped = refuse(paid).next;
    const closed = applyCaseCommand(dropped, "c2", { kind: "close" }, at).next;

    expect(paid).toMatchObject({ state: "ProcessingPayout", execution: { step: "cancel" } });
    expect(dropped).toMatchObject({
      state: "PayoutRejected",
      execution: { step: undefined },
      payoutStatus: "CAPTURED",
    });
    expect(closed).toMatchObject({ state: "Cancelled", openCase: undefined });
  });
});

describe("the case of a payment that waits for a person alone", () => {
  const short = story("PULLPUSH", pull("AUTHORIZED"), payout("PREPARED"), approved, pull("CAPTURED", 6_000n));

  it("is not closed while its payout or an authorisation is open", () => {
    const rejected: Told = { role: "screening", status: "REJECTED" };
    const back = story("PULLPUSH", pull("AUTHORIZED"), payout("PREPARED"), rejected, payout("PAID"));

    for (const payment of [short, back]) {
      expect(payment).toMatchObject({ execution: { step: undefined, dueAt: undefined } });
      expect(() => applyCaseCommand(payment, "c1", { kind: "close" }, at)).toThrow(conflict);
    }
  });

  it("ends the payment as it is when nothing is open any more", () => {
    const rejected: Told = { role: "screening", status: "REJECTED" };
    const back = tellAll(newPayment("PUSH").next, at, payout("PREPARED"), rejected, payout("PAID")).next;

    const closed = applyCaseCommand(back, "c1", { kind: "close" }, at);

    expect(closed.next).toMatchObject({ state: "Cancelled", openCase: undefined, payout: { returnedMinor: 0n } });
    expect(closed.events.filter(({ kind }) => kind === "money")).toEqual([]);
  });
});
