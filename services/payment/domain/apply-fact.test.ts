import { payoutFact, pullFact, type Told, tell, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { money } from "../../shared/kernel/money";
import { applyFact } from "./apply-fact";
import { collectedMinor, isInBalance, paidOutMinor } from "./balance";
import { applyCaseCommand, type CaseCommand } from "./case-commands";
import { applyCommand } from "./commands";
import { type Change, isIdle, type Payment, type PaymentEvent, unchanged } from "./payment";
import type { PaymentType } from "./typed-legs";

const pull = (kind: Extract<Told, { role: "pull" }>["kind"], minor?: bigint, movementId?: string): Told => ({
  role: "pull",
  kind,
  ...(minor === undefined ? {} : { minor }),
  ...(movementId === undefined ? {} : { movementId }),
});
const payout = (kind: Extract<Told, { role: "payout" }>["kind"], minor?: bigint, movementId?: string): Told => ({
  role: "payout",
  kind,
  ...(minor === undefined ? {} : { minor }),
  ...(movementId === undefined ? {} : { movementId }),
});
const approved: Told = { role: "screening", status: "APPROVED" };

const card = (type: PaymentType): Payment => newPayment(type).next;
const debit = (type: PaymentType): Payment => newPayment(type, { pull: accountPull() }).next;

const paths = {
  pushDone: [payout("PREPARED"), approved, payout("RELEASED"), payout("PAID")],
  pullDone: [approved, pull("AUTHORIZED"), pull("CAPTURED")],
  debitDone: [approved, pull("CAPTURED"), pull("SETTLED")],
  pullPushDone: [
    pull("AUTHORIZED"),
    payout("PREPARED"),
    approved,
    pull("CAPTURED"),
    payout("RELEASED"),
    payout("PAID"),
  ],
  debitPushDone: [
    payout("PREPARED"),
    approved,
    pull("CAPTURED"),
    pull("SETTLED"),
    approved,
    payout("RELEASED"),
    payout("PAID"),
  ],
} as const;

/** Applies every report in a write of its own, and returns the payment with all its events. */
function story(payment: Payment, ...all: readonly Told[]): { payment: Payment; events: PaymentEvent[]; last: Change } {
  const events: PaymentEvent[] = [];
  let last = unchanged(payment);
  for (const told of all) {
    last = tell(unchanged(last.next), told, at);
    events.push(...last.events);
  }
  return { payment: last.next, events, last };
}

/** Returns the ledger's balance at a provider after these events: what it collected is negative, what it paid out positive. */
function clearing(events: readonly PaymentEvent[], provider: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const event of events) {
    if (event.kind !== "money") continue;
    for (const { account, currency, minor } of event.postings) {
      if (account === `provider/${provider}/clearing`) sums[currency] = (sums[currency] ?? 0n) + minor;
    }
  }
  return sums;
}

describe("money that comes in a state that did not expect it", () => {
  it.each([["RETURNED after a refund of everything", debit("PULL"), [...paths.debitDone], "PULL"]] as const)(
    "is posted and opens a case: %s",
    (_name, start, path) => {
      const done = tellAll(start, at, ...path).next;
      const asked = applyCommand(done, { kind: "refund", externalId: "r1", amount: undefined, reason: undefined }, at);
      const { payment, events } = story(asked.next, pull("REFUNDED"), pull("RETURNED"));

      expect(collectedMinor(payment)).toBe(-10_000n);
      expect(clearing(events, "debits")).toEqual({ USD: 20_000n });
      expect(payment.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
    },
  );

  it("is a debit returned in part: posted with its own amount, the payment stays as it is, and a person looks", () => {
    const { payment, events } = story(debit("PULL"), ...paths.debitDone, pull("RETURNED", 4_000n));

    expect(payment).toMatchObject({ state: "Completed", status: "CAPTURED", openCase: { kinds: ["UNEXPECTED_FACT"] } });
    expect(clearing(events, "debits")).toEqual({ USD: -6_000n });
  });

  it("is both legs of a PULLPUSH that come back, in either order", () => {
    for (const back of [
      [pull("RETURNED"), payout("RETURNED")],
      [payout("RETURNED"), pull("REFUNDED"), pull("RETURNED", 10_000n, "late")],
    ]) {
      const { payment, events } = story(debit("PULLPUSH"), ...paths.debitPushDone, ...back);

      expect(clearing(events, "pix")).toEqual({ BRL: 0n });
      expect(clearing(events, "debits")).toEqual({ USD: -collectedMinor(payment) });
      expect(isInBalance(payment) || payment.openCase !== undefined).toBe(true);
    }
  });

  it.each(["REJECTED", "CANCELLED"] as const)(
    "is a payout that its rail calls %s after it had paid it: undone",
    (kind) => {
      const { payment, events } = story(card("PUSH"), ...paths.pushDone, payout(kind));

      expect(payment).toMatchObject({
        state: "Refunded",
        status: "REFUNDED",
        payoutStatus: "REFUNDED",
        openCase: undefined,
      });
      expect(clearing(events, "pix")).toEqual({ BRL: 0n });
    },
  );

  it.each(["REJECTED", "CANCELLED"] as const)(
    "is a rail that said %s before it paid, by its own clock: nothing is posted, and a person finds out",
    (kind) => {
      const [said, paidAt] = [new Date("2026-01-01T10:00:00Z"), new Date("2026-01-01T10:00:01Z")];
      const released = tellAll(card("PUSH"), at, ...paths.pushDone.slice(0, 3)).next;
      const paid = applyFact(unchanged(released), payoutFact(released, "PAID", { providerAt: paidAt }), at).next;
      const hear = (providerAt: Date) => applyFact(unchanged(paid), payoutFact(paid, kind, { providerAt }), at);

      expect(hear(said).next).toMatchObject({ state: "Completed", openCase: { kinds: ["CONTRADICTION"] } });
      expect(clearing(hear(said).events, "pix")).toEqual({});
      expect(paidOutMinor(hear(said).next)).toBe(54_321n);
      expect(hear(paidAt).next).toMatchObject({ state: "Refunded" });
      expect(paidOutMinor(hear(paidAt).next)).toBe(0n);
    },
  );

  describe("that went back by a word alone is no more when its movements are listed later", () => {
    const ends = ["DECLINED", "VOIDED"] as const;
    it.each(ends)("by card, after %s", (kind) => {
      const before = [...paths.pullDone, pull(kind)];
      const whole = story(card("PULL"), ...before, pull("REFUNDED", 10_000n, "r1"), pull("REFUNDED", 10_000n, "r1"));
      const parts = story(card("PULL"), ...before, pull("REFUNDED", 4_000n, "r1"), pull("REFUNDED", 6_000n, "r2"));

      for (const { payment, events } of [whole, parts]) {
        expect(clearing(events, "acquirer")).toEqual({ USD: 0n });
        expect(payment.pull).toMatchObject({ capturedMinor: 10_000n, refundedMinor: 10_000n });
      }
    });

    it.each(ends)("by debit, after %s", (kind) => {
      const { payment, events } = story(debit("PULL"), ...paths.debitDone, pull(kind), pull("RETURNED", 10_000n, "r1"));

      expect(clearing(events, "debits")).toEqual({ USD: 0n });
      expect(payment.pull).toMatchObject({ capturedMinor: 10_000n, refundedMinor: 10_000n });
    });

    it("by a rail, after REJECTED", () => {
      const told = [payout("REJECTED"), payout("RETURNED", 54_321n, "r1"), payout("REJECTED")];
      const { payment, events } = story(card("PUSH"), ...paths.pushDone, ...told);

      expect(clearing(events, "pix")).toEqual({ BRL: 0n });
      expect(payment).toMatchObject({ state: "Refunded", openCase: undefined });
    });
  });

  it("is an authorisation of another amount: a person finds out", () => {
    const { payment } = story(card("PULL"), approved);
    const told = pullFact(payment, "AUTHORIZED", { amount: money(6_000n, "USD") });

    expect(applyFact(unchanged(payment), told, at).next).toMatchObject({
      state: "PaymentAuthorized",
      openCase: { kinds: ["AMOUNT_DIFFERS"] },
    });
  });

  it("is a payout paid after it was rejected: the payment stays DECLINED and a person looks", () => {
    const rejected = [payout("PREPARED"), approved, payout("RELEASED"), payout("REJECTED")];
    const { payment, events } = story(card("PUSH"), ...rejected, payout("PAID"));

    expect(payment).toMatchObject({ state: "Cancelled", status: "DECLINED", openCase: { kinds: ["UNEXPECTED_FACT"] } });
    expect(clearing(events, "pix")).toEqual({ BRL: 54_321n });
  });

  it("is a recipient who is paid while the payer gets the money back", () => {
    const rejected = [...paths.pullPushDone.slice(0, 5), payout("REJECTED"), pull("REFUNDED")];
    const { payment, events } = story(card("PULLPUSH"), ...rejected, payout("PAID"));

    expect(payment.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
    expect(clearing(events, "pix")).toEqual({ BRL: 54_321n });
    expect(clearing(events, "acquirer")).toEqual({ USD: 0n });
  });

  it("is a debit that settles after it was declined", () => {
    const { payment, events } = story(debit("PULL"), approved, pull("DECLINED"), pull("SETTLED"));

    expect(payment).toMatchObject({ state: "PaymentDeclined", openCase: { kinds: ["UNEXPECTED_FACT"] } });
    expect(clearing(events, "debits")).toEqual({ USD: -10_000n });
  });

  it("is a second refund, a second capture, a second payout and a dispute", () => {
    for (const extra of [pull("REFUNDED", 500n, "x"), pull("CAPTURED", 700n, "x"), pull("CHARGED_BACK", 900n, "x")]) {
      const { payment, events } = story(card("PULL"), ...paths.pullDone, extra);
      expect(payment.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
      expect(clearing(events, "acquirer")).toEqual({ USD: -collectedMinor(payment) });
    }
    const { payment, events } = story(card("PUSH"), ...paths.pushDone, payout("PAID", 54_321n, "again"));
    expect(payment.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
    expect(clearing(events, "pix")).toEqual({ BRL: 108_642n });
  });
});

describe("another amount than was asked for", () => {
  it("is booked as it is, and opens a case", () => {
    const { payment, events } = story(card("PULL"), approved, pull("AUTHORIZED"), pull("CAPTURED", 6_000n));

    expect(payment).toMatchObject({ state: "Completed", status: "CAPTURED", openCase: { kinds: ["AMOUNT_DIFFERS"] } });
    expect(clearing(events, "acquirer")).toEqual({ USD: -6_000n });
  });

  it("holds the payout of a PULLPUSH back until a person releases or reverses it", () => {
    const short = [pull("AUTHORIZED"), payout("PREPARED"), approved, pull("CAPTURED", 6_000n)];
    const { payment } = story(card("PULLPUSH"), ...short);
    expect(payment).toMatchObject({
      state: "PaymentCaptured",
      execution: { step: undefined },
      openCase: { kinds: ["AMOUNT_DIFFERS"] },
    });

    expect(applyCaseCommand(payment, "c1", { kind: "beginRelease" }, at).next.execution.step).toBe("release");
    expect(() => applyCaseCommand(payment, "c2", { kind: "beginRefund", amount: undefined }, at)).toThrow(
      expect.objectContaining({ reason: "STATE_CONFLICT" }),
    );
    const cancelling = applyCaseCommand(payment, "c3", { kind: "beginCancel" }, at).next;
    const back = applyFact(unchanged(cancelling), payoutFact(cancelling, "CANCELLED"), at).next;
    expect(back).toMatchObject({ execution: { step: "refund" }, payoutStatus: "VOIDED" });
    expect(back.refunds.at(-1)?.minor).toBe(6_000n);
  });

  it("is a payout of which less arrived: the rest waits in suspense", () => {
    const { payment, events } = story(card("PUSH"), ...paths.pushDone.slice(0, 3), payout("PAID", 50_000n));

    expect(payment.openCase?.kinds).toEqual(["AMOUNT_DIFFERS"]);
    expect(paidOutMinor(payment)).toBe(50_000n);
    expect(clearing(events, "pix")).toEqual({ BRL: 50_000n });
  });
});

describe("the same movement", () => {
  it("is posted once however often it is told, and a case once it is told with another amount", () => {
    const start = tellAll(card("PULL"), at, approved, pull("AUTHORIZED")).next;
    const first = applyFact(unchanged(start), pullFact(start, "CAPTURED"), at);
    const again = applyFact(unchanged(first.next), pullFact(first.next, "CAPTURED"), at);
    const other = applyFact(unchanged(first.next), pullFact(first.next, "CAPTURED", { minor: 9_000n }), at);

    expect(again.events).toEqual([]);
    expect(again.next.facts).toEqual(first.next.facts);
    expect(other.events).toEqual([]);
    expect(other.next.openCase?.kinds).toEqual(["CONTRADICTION"]);
    expect(applyFact(unchanged(other.next), pullFact(other.next, "CAPTURED", { minor: 9_000n }), at).caseNotes).toEqual(
      [],
    );
  });

  it("is recognised when its provider gives it an id only later", () => {
    const start = tellAll(card("PUSH"), at, ...paths.pushDone.slice(0, 3)).next;
    const { movementId: _none, ...anonymous } = payoutFact(start, "PAID");
    const first = applyFact(unchanged(start), anonymous, at);
    const named = applyFact(unchanged(first.next), payoutFact(first.next, "PAID"), at);

    expect(paidOutMinor(named.next)).toBe(54_321n);
    expect(named.events).toEqual([]);
  });

  it("is taken for granted when it comes back before anybody told of it, and not posted again when that is told", () => {
    const start = tellAll(card("PUSH"), at, ...paths.pushDone.slice(0, 3)).next;
    const { payment, events } = story(start, payout("RETURNED"), payout("PAID", 54_321n, "late"));

    expect(payment).toMatchObject({ state: "Refunded", openCase: undefined });
    expect(clearing(events, "pix")).toEqual({ BRL: 0n });
  });
});

describe("a step that went the other way", () => {
  it("is a void that finds the money captured: the fact is taken, and the caller's payment is CAPTURED", () => {
    const authorised = tellAll(
      newPayment("PULL", {
        pull: { ...accountPull(), ...card("PULL").pull, captureAtOnce: false },
      }).next,
      at,
      approved,
      pull("AUTHORIZED"),
    ).next;
    const voiding = applyCommand(authorised, { kind: "void" }, at).next;
    const { payment, events } = story(voiding, pull("CAPTURED"));

    expect(payment).toMatchObject({
      state: "Completed",
      status: "CAPTURED",
      execution: { step: undefined },
      openCase: undefined,
    });
    expect(clearing(events, "acquirer")).toEqual({ USD: -10_000n });
  });

  it("is a payment given up that was captured: it is reversed", () => {
    const rejected = tellAll(card("PULLPUSH"), at, pull("AUTHORIZED"), { role: "refusal", code: "REFUSED" }).next;
    expect(rejected).toMatchObject({ state: "PayoutRejected", execution: { step: "void" } });

    const { payment } = story(rejected, pull("CAPTURED"));
    expect(payment).toMatchObject({
      state: "PendingReversalApproval",
      execution: { step: "refund" },
      automaticReversed: true,
    });
  });

  it("is an authorisation that comes after the refusal: the payer's money is let go", () => {
    const declined = tellAll(card("PULL"), at, approved, pull("DECLINED")).next;
    const { payment } = story(declined, pull("AUTHORIZED"));
    expect(payment).toMatchObject({ state: "PaymentDeclined", execution: { step: "void" } });

    expect(story(payment, pull("VOIDED")).payment).toMatchObject({
      state: "PaymentDeclined",
      execution: { step: undefined },
    });
  });
});

describe("commands on a case", () => {
  const overpaid = story(card("PULL"), ...paths.pullDone, pull("CAPTURED", 700n, "x")).payment;

  it("give back what was taken too much, after which the payment is in balance and the case can be closed", () => {
    const begun = applyCaseCommand(overpaid, "c1", { kind: "beginRefund", amount: money(700n, "USD") }, at).next;
    const refunded = tellAll(begun, at, pull("REFUNDED", 700n)).next;
    expect(refunded).toMatchObject({ state: "Completed", execution: { step: undefined } });

    const closed = applyCaseCommand(refunded, "c2", { kind: "close" }, at);
    expect(closed.next.openCase).toBeUndefined();
    expect(closed.caseNotes.map(({ closes }) => closes)).toEqual([true]);
  });

  it("accept the money as it is: the next movement is looked at again", () => {
    const closed = applyCaseCommand(overpaid, "c1", { kind: "close" }, at).next;
    const same = tellAll(closed, at, pull("CAPTURED", 700n, "x")).next;
    expect(same.openCase).toBeUndefined();

    expect(tellAll(closed, at, pull("CHARGED_BACK", 100n, "y")).next.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
  });

  it("settle a step by evidence as if its provider had told it", () => {
    const sent = tellAll(card("PUSH"), at, ...paths.pushDone.slice(0, 3)).next;
    const evidence = { raw: "statement line 7", hash: "h" };
    const fact = { role: "payout", kind: "PAID", amount: money(54_321n, "BRL"), movementId: "s7", evidence } as const;
    const { next, events } = applyCaseCommand(sent, "c1", { kind: "settleStep", fact }, at);

    expect(next).toMatchObject({ state: "Completed", status: "CAPTURED" });
    expect(clearing(events, "pix")).toEqual({ BRL: 54_321n });
    expect(next.facts.at(-1)?.evidence).toEqual(evidence);
  });

  it.each<[string, CaseCommand]>([
    ["a void where nothing is held", { kind: "beginVoid" }],
    ["a release where no payout waits", { kind: "beginRelease" }],
    ["a cancel where there is no payout", { kind: "beginCancel" }],
    ["a refund of more than was collected", { kind: "beginRefund", amount: money(99_999n, "USD") }],
    ["a refund in another currency", { kind: "beginRefund", amount: money(1n, "EUR") }],
    ["a fact of a leg that is not there", settle({ role: "payout", kind: "PAID", amount: money(1n, "BRL") })],
    ["a movement without its amount", settle({ role: "pull", kind: "CAPTURED", amount: undefined })],
    ["an amount where nothing moves", settle({ role: "pull", kind: "VOIDED", amount: money(1n, "USD") })],
  ])("refuse %s and change nothing", (_name, command) => {
    expect(() => applyCaseCommand(overpaid, "c1", command, at)).toThrow();
  });

  it("are refused while a call is under way", () => {
    const begun = applyCaseCommand(overpaid, "c1", { kind: "beginRefund", amount: undefined }, at).next;
    expect(isIdle(begun)).toBe(false);
    expect(() => applyCaseCommand(begun, "c2", { kind: "beginRefund", amount: undefined }, at)).toThrow("under way");
  });
});

function settle(fact: {
  role: "pull" | "payout";
  kind: string;
  amount: ReturnType<typeof money> | undefined;
}): CaseCommand {
  const given = { ...fact, movementId: undefined, evidence: { raw: "e", hash: "h" } };
  return { kind: "settleStep", fact: given as Extract<CaseCommand, { kind: "settleStep" }>["fact"] };
}
