import { type Told, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { holdOf } from "./hold";
import type { Change, Payment } from "./payment";
import type { ScreeningReport } from "./screening";
import type { PaymentType } from "./typed-legs";

const decision = (status: ScreeningReport["status"]): Told => ({ role: "screening", status });
const rail = (kind: "PREPARED" | "PAID"): Told => ({ role: "payout", kind });
const collector = (kind: "AUTHORIZED" | "CAPTURED" | "SETTLED" | "RETURNED"): Told => ({ role: "pull", kind });
const told = (payment: Payment, ...all: Told[]): Change => tellAll(payment, at, ...all);
const statesOf = ({ events }: Change): string[] =>
  events.flatMap((event) => (event.kind === "status" ? [event.newStatus] : []));

describe("a payment that is not decided about", () => {
  const waiting = (type: PaymentType): Payment => {
    const start = newPayment(type).next;
    if (type === "PULL") return start;
    return told(start, ...(type === "PULLPUSH" ? [collector("AUTHORIZED")] : []), rail("PREPARED")).next;
  };

  it.each(["PUSH", "PULL", "PULLPUSH"] as const)("has its decision asked for before money moves: %s", (type) => {
    expect(waiting(type)).toMatchObject({ execution: { step: "screen" }, compliance: "Pending" });
  });

  it("is a pull that no provider has heard of: what one says of it moves nothing on, and money in it is a case", () => {
    expect(told(waiting("PULL"), collector("AUTHORIZED"))).toMatchObject({
      events: [],
      next: { execution: { step: "screen" } },
    });
    for (const kind of ["CAPTURED", "SETTLED"] as const) {
      const { next, events } = told(waiting("PULL"), collector(kind));

      expect(next).toMatchObject({
        execution: { step: "screen" },
        state: "PaymentProcessing",
        openCase: { kinds: ["UNEXPECTED_FACT"] },
      });
      expect(events.map((event) => event.kind)).toEqual(["money"]);
    }
  });

  it.each(["PUSH", "PULLPUSH"] as const)(
    "waits in BlockedPendingReview, as a hold, until a person decides: %s",
    (type) => {
      const blocked = told(waiting(type), decision("BLOCKED")).next;
      expect(blocked).toMatchObject({
        state: "BlockedPendingReview",
        execution: { step: undefined },
        compliance: "Pending",
      });
      expect(holdOf(blocked)).toBe("REVIEW");
      expect(told(blocked, decision("BLOCKED")).events).toEqual([]);

      expect(statesOf(told(blocked, decision("APPROVED")))).toEqual(["ManualReview", "ReviewApproved"]);
      expect(told(blocked, decision("APPROVED")).next).toMatchObject({ compliance: "Approved" });
      const refused = told(blocked, decision("REJECTED"));
      expect(statesOf(refused)).toEqual(["ReviewRejected"]);
      expect(refused.next).toMatchObject({ execution: { step: "cancel" }, compliance: "Rejected", status: "DECLINED" });
    },
  );

  it("passes both states when the provider refuses at once, and waits in ManualReview while it looks", () => {
    const payment = waiting("PUSH");
    expect(statesOf(told(payment, decision("REJECTED")))).toEqual(["BlockedPendingReview", "ReviewRejected"]);
    const looked = told(payment, decision("REVIEW")).next;
    expect(looked).toMatchObject({ state: "ManualReview", execution: { step: undefined } });
    expect(holdOf(looked)).toBe("REVIEW");
    expect(told(looked, decision("BLOCKED")).events).toEqual([]);
  });

  it("is a pull that waits where it is, and is authorised or declined by the decision alone", () => {
    const payment = waiting("PULL");
    expect(told(payment, decision("APPROVED")).next).toMatchObject({
      execution: { step: "authorize" },
      compliance: "Approved",
    });
    for (const status of ["BLOCKED", "REVIEW"] as const) {
      const held = told(payment, decision(status)).next;
      expect(held).toMatchObject({ state: "PaymentProcessing", status: "PENDING", execution: { step: undefined } });
      expect(holdOf(held)).toBe("REVIEW");
      expect(told(held, decision(status)).next).toBe(held);
      expect(told(held, decision("APPROVED")).next.execution.step).toBe("authorize");
      const refused = told(held, decision("REJECTED")).next;
      expect(refused).toMatchObject({ state: "PaymentDeclined", status: "DECLINED", compliance: "Rejected" });
    }
  });

  it("is not decided again by a late answer", () => {
    const sent = told(waiting("PULL"), decision("APPROVED")).next;
    for (const status of ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const) {
      expect(told(sent, decision(status)).next).toBe(sent);
    }
    const released = told(waiting("PUSH"), decision("APPROVED")).next;
    for (const status of ["REVIEW", "BLOCKED", "REJECTED"] as const) {
      expect(told(released, decision(status)).next).toBe(released);
    }
  });
});

describe("a payout whose debit has settled", () => {
  const settled = (): Payment => {
    const start = newPayment("PULLPUSH", { pull: accountPull() }).next;
    return told(start, rail("PREPARED"), decision("APPROVED"), collector("CAPTURED"), collector("SETTLED")).next;
  };

  it("is decided about once more before it is released", () => {
    expect(settled()).toMatchObject({ state: "PaymentSettled", execution: { step: "screen" } });
    expect(told(settled(), decision("APPROVED")).next).toMatchObject({
      state: "PaymentSettled",
      execution: { step: "release" },
    });
  });

  it("is held for a person by a new list, then released or given back", () => {
    const held = told(settled(), decision("BLOCKED")).next;
    expect(held).toMatchObject({ state: "PaymentSettled", execution: { step: undefined } });
    expect(holdOf(held)).toBe("REVIEW");

    expect(told(held, decision("APPROVED")).next.execution.step).toBe("release");
    expect(told(held, decision("REJECTED")).next).toMatchObject({
      state: "PendingReversalApproval",
      execution: { step: "cancel" },
      automaticReversed: true,
    });
  });

  it("pays nobody when the payer's bank takes the money back meanwhile", () => {
    const held = told(settled(), decision("BLOCKED")).next;
    for (const payment of [settled(), held]) {
      const gone = told(payment, collector("RETURNED")).next;
      expect(gone).toMatchObject({ state: "PendingReversalApproval", execution: { step: "cancel" } });
      expect(told(gone, decision("APPROVED")).next).toBe(gone);
    }
  });
});
