import { tell } from "../../../test/support/facts";
import { builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import type { PayoutFactKind } from "./fact";
import { postpone } from "./flow";
import { type Change, isFinal, move, type PaymentEvent, unchanged, updateExecution } from "./payment";

const push = (): Change => newPayment("PUSH");

/** Applies a rail's report; what the rail has prepared is approved by screening at once. */
function report(change: Change, status: PayoutFactKind | "REFUSED"): Change {
  const told =
    status === "REFUSED" ? ({ role: "refusal", code: status } as const) : ({ role: "payout", kind: status } as const);
  const next = tell(change, told, at);
  return status === "PREPARED" ? tell(next, { role: "screening", status: "APPROVED" }, at) : next;
}

const states = ({ events }: Change): string[] =>
  events.flatMap((event) => (event.kind === "status" ? [event.newStatus] : []));

const pushPath = [
  "Created",
  "ProcessingPayout",
  "PayoutAccepted",
  "ReviewApproved",
  "WaitingPayout",
  "Paid",
  "Completed",
];

function chained(events: readonly PaymentEvent[], kind: PaymentEvent["kind"]): boolean {
  const own = events.flatMap((event) => (event.kind === kind && event.kind !== "money" ? [event] : []));
  return own.every((event, index) => event.oldStatus === own[index - 1]?.newStatus);
}

describe("a push", () => {
  it("goes through the specified steps, without the pull steps, to CAPTURED", () => {
    const done = report(report(report(push(), "PREPARED"), "RELEASED"), "PAID");

    expect(states(done)).toEqual(pushPath);
    expect(done.next).toMatchObject({
      status: "CAPTURED",
      compliance: "Approved",
      payoutStatus: "CAPTURED",
      execution: { dueAt: undefined },
    });
    expect(done.history.map(({ code, status }) => [code, status])).toEqual([
      ["PAYMENT", "PENDING"],
      ["CAPTURE", "CAPTURED"],
    ]);
  });

  it("numbers its events from 1 without gaps and chains old and new values of each kind", () => {
    const { events, next } = report(report(report(push(), "PREPARED"), "RELEASED"), "PAID");

    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(next.eventCount).toBe(events.length);
    expect((["status", "compliance", "payout"] as const).map((kind) => chained(events, kind))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("takes a callback that overtakes the answer to the release", () => {
    const done = report(report(push(), "PREPARED"), "PAID");

    expect(states(done)).toEqual(pushPath);
  });

  it.each(["REFUSED", "CANCELLED"] as const)("is DECLINED and never sent when the rail answers %s", (status) => {
    const refused = report(push(), status);

    expect(states(refused)).toEqual(["Created", "ProcessingPayout", "PayoutRejected", "Cancelled"]);
    expect(refused.next).toMatchObject({
      status: "DECLINED",
      compliance: "Cancelled",
      payoutStatus: "DECLINED",
      execution: { dueAt: undefined },
    });
  });

  it("is DECLINED when the rail rejects it after the release", () => {
    const rejected = report(report(report(push(), "PREPARED"), "RELEASED"), "REJECTED");

    expect(states(rejected).slice(-3)).toEqual(["WaitingPayout", "PayoutRejected", "Cancelled"]);
    expect(rejected.next).toMatchObject({ status: "DECLINED", compliance: "Approved" });
  });

  it("is DECLINED when the rail answers the release with REFUSED, and ERROR when it says CANCELLED", () => {
    const refused = report(report(push(), "PREPARED"), "REFUSED");
    const cancelled = report(report(push(), "PREPARED"), "CANCELLED");

    expect(states(refused).slice(-3)).toEqual(["WaitingPayout", "PayoutRejected", "Cancelled"]);
    expect(refused.next).toMatchObject({ status: "DECLINED", execution: { dueAt: undefined } });
    expect(states(cancelled).slice(-2)).toEqual(["WaitingPayout", "Error"]);
    expect(cancelled.next).toMatchObject({ status: "ERROR", payoutStatus: "ERROR", execution: { dueAt: undefined } });
  });

  it.each(["REJECTED", "CANCELLED"] as const)("is DECLINED when the rail says %s after the release", (status) => {
    const withdrawn = report(report(report(push(), "PREPARED"), "RELEASED"), status);

    expect(withdrawn.next).toMatchObject({ state: "Cancelled", status: "DECLINED", execution: { dueAt: undefined } });
  });

  it("is changed by nothing that it knows once it is final", () => {
    const done = unchanged(report(report(report(push(), "PREPARED"), "RELEASED"), "PAID").next);
    const statuses = ["PREPARED", "RELEASED", "PAID"] as const;

    expect(statuses.map((status) => report(done, status).events)).toEqual(statuses.map(() => []));
  });

  it("gives the same decision for a report that comes twice as for one", () => {
    const once = report(push(), "PREPARED");

    expect(report(once, "PREPARED").events).toEqual(once.events);
  });

  it("never becomes DECLINED by waiting: an unknown outcome is asked about, later and later", () => {
    const waits = Array.from({ length: 8 }, (_, attempts) => {
      const { next } = postpone(updateExecution(push(), { attempts }), at, { isSent: true, isDenied: false });
      return [next.status, (next.execution.dueAt?.getTime() ?? 0) - at.getTime()] as const;
    });

    expect(waits.every(([status]) => status === "PENDING")).toBe(true);
    expect(waits.map(([, ms]) => ms)).toEqual([1_000, 2_000, 5_000, 15_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it("allows exactly the published moves", () => {
    const all = Object.keys(transactionMoves) as TransactionState[];
    const refused = all.flatMap((from) =>
      all
        .filter((to) => {
          const change = unchanged({ ...push().next, state: from });
          try {
            return move(change, to, at, "").next.state !== to;
          } catch {
            return true;
          }
        })
        .map((to) => `${from}>${to}`),
    );
    const unlisted = all.flatMap((from) =>
      all.filter((to) => !transactionMoves[from].includes(to)).map((to) => `${from}>${to}`),
    );

    expect(refused).toEqual(unlisted);
  });

  it("counts as final what nothing but a return or a refund can follow", () => {
    const final = (Object.keys(transactionMoves) as TransactionState[]).filter(isFinal).toSorted();

    expect(final).toEqual(["Cancelled", "Completed", "Error", "PaymentDeclined", "Refunded", "Voided"]);
  });
});
