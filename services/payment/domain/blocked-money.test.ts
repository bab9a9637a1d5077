import { type Told, tell, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, cardPull, newPayment } from "../../../test/support/payment-builder";
import { plusMs } from "../../shared/kernel/clock";
import { timeOut } from "./commands";
import { postpone } from "./flow";
import { type Change, type Payment, unchanged } from "./payment";
import type { PaymentType } from "./typed-legs";

const blockedBy = (blockedCase: string): Told => ({ role: "screening", status: "BLOCKED", blockedCase });
const rail = (kind: "PREPARED" | "PAID"): Told => ({ role: "payout", kind });
const payer = (kind: "AUTHORIZED" | "CAPTURED" | "SETTLED" | "RETURNED" | "VOIDED"): Told => ({ role: "pull", kind });
const free = { bps: 0, fixedMinor: 0n };
const terms = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: undefined };
const made = (type: PaymentType, isCard = true): Payment =>
  newPayment(type, { terms, pull: type === "PUSH" ? undefined : isCard ? cardPull() : accountPull() }).next;
const push = (): Payment => tellAll(made("PUSH"), at, rail("PREPARED"), blockedBy("one")).next;
const card = (): Payment => tellAll(made("PULLPUSH"), at, payer("AUTHORIZED"), rail("PREPARED"), blockedBy("one")).next;
const collected = (): Payment =>
  tellAll(
    ...([made("PULLPUSH", false), at, rail("PREPARED"), { role: "screening", status: "APPROVED" }] as const),
    ...[payer("CAPTURED"), payer("SETTLED"), blockedBy("one")],
  ).next;
const moved = ({ events }: Change): string[] =>
  events.flatMap((event) => (event.kind === "money" ? [event.moved] : []));

describe("money that is blocked", () => {
  it("moves once for each case, however often that is told, and with all that an earlier case has", () => {
    const again = tell(unchanged(push()), blockedBy("one"), at);
    const other = tell(unchanged(push()), blockedBy("two"), at);

    expect([moved(again), again.next.blocked]).toEqual([[], push().blocked]);
    expect(other.events).toMatchObject([
      {
        postings: [
          { account: "platform/blocked/one", minor: -10_000n },
          { account: "platform/blocked/two", minor: 10_000n },
        ],
      },
    ]);
    expect(push().blocked).toMatchObject({ caseId: "one", heldMinor: 10_000n });
    expect(card().blocked).toMatchObject({ caseId: "one", heldMinor: 0n });
    expect(collected().blocked).toMatchObject({ caseId: "one", heldMinor: 10_000n });
  });

  it.each([
    ["PUSH", push],
    ["PULLPUSH", card],
    ["PULLPUSH that was collected", collected],
  ])("is left alone by every timer: %s", (_type, blocked) => {
    const late = plusMs(at, 400 * 86_400_000);

    expect(timeOut(unchanged(blocked()), late)).toBeUndefined();
    expect(postpone(unchanged(blocked()), late, { isSent: false, isDenied: false })).toMatchObject({
      events: [],
      next: { state: blocked().state, execution: { step: undefined }, blocked: blocked().blocked },
    });
  });

  it("tells a person once that the authorisation behind it is over, by the clock or by its provider's word", () => {
    const week = plusMs(at, 7 * 86_400_000);
    const late = postpone(unchanged(card()), week, { isSent: false, isDenied: false });
    const voided = tell(unchanged(card()), payer("VOIDED"), at);

    expect(postpone(unchanged(card()), plusMs(week, -1), { isSent: false, isDenied: false }).caseNotes).toEqual([]);
    for (const told of [late, voided]) {
      expect(told.next).toMatchObject({
        state: "BlockedPendingReview",
        openCase: { kinds: ["AUTHORIZATION_EXPIRED"] },
      });
      expect(postpone(unchanged(told.next), plusMs(week, 1), { isSent: false, isDenied: false }).caseNotes).toEqual([]);
    }
  });

  it("that its payer's bank takes back leaves the account of the case, and the payment where it is, as a case", () => {
    const back = tell(unchanged(collected()), payer("RETURNED"), at);

    expect(back.next).toMatchObject({ state: "PaymentSettled", blocked: { heldMinor: 0n, isReleased: false } });
    expect(back.next.openCase?.kinds).toEqual(["UNEXPECTED_FACT"]);
  });
});
