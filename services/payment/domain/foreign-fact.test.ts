import { payoutFact, pullFact, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { money } from "../../shared/kernel/money";
import { applyFact } from "./apply-fact";
import { applyCaseCommand } from "./case-commands";
import { type Change, unchanged } from "./payment";

const francs = money(10_000n, "CHF");

/** Returns what was posted, one line for each side. */
const posted = ({ events }: Change): string[] =>
  events.flatMap((event) =>
    event.kind === "money"
      ? event.postings.map(({ account, currency, minor }) => `${account} ${currency} ${minor}`)
      : [],
  );

describe("money in another currency than was asked for", () => {
  it("is no collection, but is posted as it is, and a person is told", () => {
    const waiting = tellAll(newPayment("PULL", { pull: accountPull() }).next, at, {
      role: "screening",
      status: "APPROVED",
    });

    const told = applyFact(unchanged(waiting.next), pullFact(waiting.next, "CAPTURED", { amount: francs }), at);

    expect(posted(told)).toEqual(["provider/debits/clearing CHF -10000", "platform/suspense CHF 10000"]);
    expect(told.next).toMatchObject({ state: waiting.next.state, openCase: { kinds: ["AMOUNT_DIFFERS"] } });
    expect(told.next.pull?.capturedMinor).toBe(0n);
  });

  it("is no payout either", () => {
    const waiting = tellAll(
      newPayment("PUSH").next,
      at,
      { role: "payout", kind: "PREPARED" },
      { role: "screening", status: "APPROVED" },
      { role: "payout", kind: "RELEASED" },
    );

    const told = applyFact(unchanged(waiting.next), payoutFact(waiting.next, "PAID", { amount: francs }), at);

    expect(posted(told)).toEqual(["provider/pix/clearing CHF 10000", "platform/suspense CHF -10000"]);
    expect(told.next).toMatchObject({ state: "WaitingPayout", openCase: { kinds: ["AMOUNT_DIFFERS"] } });
  });

  it("is taken from a person's word as from the provider's", () => {
    const { next } = newPayment("PULL", { pull: accountPull() });
    const evidence = { raw: "statement line 7", hash: "h" };
    const fact = { role: "pull", kind: "CAPTURED", amount: francs, movementId: "m", evidence } as const;

    const told = applyFact(unchanged(next), pullFact(next, "CAPTURED", { amount: francs, movementId: "m" }), at);
    const settled = applyCaseCommand(next, "c", { kind: "settleStep", fact }, at);

    expect(posted(settled)).toEqual(posted(told));
    expect(settled.next).toEqual({
      ...told.next,
      facts: told.next.facts.map((kept) => ({ ...kept, evidence })),
    });
  });

  it("is posted once, however often it is told, and once when a debit settles after it was accepted", () => {
    const { next } = newPayment("PULL", { pull: accountPull() });
    const movement = { amount: francs, movementId: "m" };
    const captured = pullFact(next, "CAPTURED", movement);

    const once = applyFact(unchanged(next), captured, at);
    const twice = applyFact(unchanged(once.next), captured, at);
    const settled = applyFact(unchanged(twice.next), pullFact(next, "SETTLED", movement), at);

    expect(posted(once)).toHaveLength(2);
    expect([...posted(twice), ...posted(settled)]).toEqual([]);
  });

  it("is posted once when the movement is named in one telling and not in the other", () => {
    const { next } = newPayment("PULL", { pull: accountPull() });
    const told = (movementId: string | undefined, minor = 10_000n) =>
      pullFact(next, "CAPTURED", { amount: money(minor, "CHF"), movementId });
    for (const [first, second] of [
      [told(undefined), told("m")],
      [told("m"), told(undefined)],
    ] as const) {
      const once = applyFact(unchanged(next), first, at);
      const twice = applyFact(unchanged(once.next), second, at);
      const other = applyFact(unchanged(twice.next), { ...second, amount: money(1n, "CHF") }, at);

      expect(posted(once)).toHaveLength(2);
      expect([...posted(twice), ...posted(other)]).toEqual([]);
      expect(twice.next.openCase?.kinds).toEqual(["AMOUNT_DIFFERS"]);
      expect(other.next.openCase?.kinds).toEqual(["AMOUNT_DIFFERS", "CONTRADICTION"]);
      expect(other.next.caseCount).toBe(1);
    }
  });

  it("keeps nothing of what was asked for from being posted, whichever is told first", () => {
    const waiting = tellAll(newPayment("PULL", { pull: accountPull() }).next, at, {
      role: "screening",
      status: "APPROVED",
    });
    const foreign = pullFact(waiting.next, "CAPTURED", { amount: francs, movementId: undefined });
    const own = pullFact(waiting.next, "CAPTURED", { movementId: "m" });

    const first = applyFact(unchanged(applyFact(unchanged(waiting.next), foreign, at).next), own, at);
    const last = applyFact(unchanged(applyFact(unchanged(waiting.next), own, at).next), foreign, at);

    for (const { next } of [first, last]) {
      expect(next.pull?.capturedMinor).toBe(next.pull?.captureMinor);
      expect(next).toMatchObject({ caseCount: 1, openCase: { kinds: ["AMOUNT_DIFFERS"] } });
    }
    expect(posted(last)).toEqual(["provider/debits/clearing CHF -10000", "platform/suspense CHF 10000"]);
  });

  it("opens a case when the same movement is told with another amount", () => {
    const { next } = newPayment("PULL", { pull: accountPull() });
    const once = applyFact(unchanged(next), pullFact(next, "CAPTURED", { amount: francs, movementId: "m" }), at);

    const again = applyFact(
      unchanged(once.next),
      pullFact(next, "CAPTURED", { amount: money(9_999n, "CHF"), movementId: "m" }),
      at,
    );

    expect(posted(again)).toEqual([]);
    expect(again.next.openCase?.kinds).toContain("CONTRADICTION");
  });
});
