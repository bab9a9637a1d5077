import { money } from "../../shared/money";
import { type TransactionState, transactionMoves } from "../../shared/transaction-states";
import { type Change, createPush, isFinal, move, type Payment, type PaymentEvent, unchanged } from "./payment";
import { applyReport, postpone, type RailStatus } from "./rail-report";

const at = new Date("2026-03-01T10:00:00Z");

const push = (): Change =>
  createPush({
    id: "11111111-1111-8111-8111-111111111111",
    tenant: "demo",
    externalId: "order-1",
    amount: money(10_000n, "USD"),
    quoteId: "quote-1",
    ipAddress: "203.0.113.7",
    payer: {
      firstName: "Ada",
      lastName: "Lovelace",
      phoneNumber: "",
      email: "",
      countryCode: "USA",
      stateCode: "",
      state: "",
      city: "",
      line1: "",
      line2: "",
      zipCode: "",
    },
    instruction: {
      rail: "pix",
      reference: "11111111-1111-8111-8111-111111111111",
      amount: money(54_321n, "BRL"),
      key: "maria@example.com",
      keyType: "EMAIL",
      recipientName: "Maria Souza",
      recipientDocument: "39053344705",
      narrative: "",
    },
    createdAt: at,
    traceparent: "",
  });

const report = (change: Change, status: RailStatus): Change =>
  applyReport(change, { reference: change.next.id, status, railId: "rail-1", reason: undefined }, at);

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
  const own = events.filter((event) => event.kind === kind);
  return own.every((event, index) => event.oldStatus === own[index - 1]?.newStatus);
}

describe("a push", () => {
  it("goes through the specified steps, without the pull steps, to CAPTURED", () => {
    const done = report(report(report(push(), "PREPARED"), "RELEASED"), "PAID");

    expect(states(done)).toEqual(pushPath);
    expect(done.next).toMatchObject({
      status: "CAPTURED",
      compliance: "Approved",
      payout: "CAPTURED",
      dueAt: undefined,
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
      payout: "DECLINED",
      dueAt: undefined,
    });
  });

  it("is DECLINED when the rail rejects it after the release", () => {
    const rejected = report(report(report(push(), "PREPARED"), "RELEASED"), "REJECTED");

    expect(states(rejected).slice(-3)).toEqual(["WaitingPayout", "PayoutRejected", "Cancelled"]);
    expect(rejected.next).toMatchObject({ status: "DECLINED", compliance: "Approved" });
  });

  it.each(["REFUSED", "CANCELLED"] as const)(
    "ends as VOIDED when the rail says %s before the release is known",
    (status) => {
      const withdrawn = report(report(push(), "PREPARED"), status);

      expect(states(withdrawn).slice(-3)).toEqual(["ReviewApproved", "CancelRequested", "Cancelled"]);
      expect(withdrawn.next).toMatchObject({
        status: "VOIDED",
        compliance: "Cancelled",
        payout: "DECLINED",
        dueAt: undefined,
      });
    },
  );

  it.each(["REFUSED", "CANCELLED"] as const)("is DECLINED when the rail says %s after the release", (status) => {
    const withdrawn = report(report(report(push(), "PREPARED"), "RELEASED"), status);

    expect(withdrawn.next).toMatchObject({ state: "Cancelled", status: "DECLINED", dueAt: undefined });
  });

  it("is changed by no report once it is final", () => {
    const done = unchanged(report(report(report(push(), "PREPARED"), "RELEASED"), "PAID").next);
    const statuses: RailStatus[] = ["PREPARED", "RELEASED", "PAID", "REJECTED", "REFUSED", "CANCELLED"];

    expect(statuses.map((status) => report(done, status).events)).toEqual(statuses.map(() => []));
  });

  it("gives the same decision for a report that comes twice as for one", () => {
    const once = report(push(), "PREPARED");

    expect(report(once, "PREPARED").events).toEqual(once.events);
  });

  it("never becomes DECLINED by waiting: an unknown outcome is asked about, later and later", () => {
    const waits = Array.from({ length: 8 }, (_, tries): Payment => ({ ...push().next, tries })).map((payment) => {
      const next = postpone(payment, at);
      return [next.status, (next.dueAt?.getTime() ?? 0) - at.getTime()] as const;
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
