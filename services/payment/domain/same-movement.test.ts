import { pullFact, tell, tellAll } from "../../../test/support/facts";
import { builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { applyFact } from "./apply-fact";
import { applyCommand } from "./commands";
import type { PullFact } from "./fact";
import { type Change, type Payment, unchanged } from "./payment";

const captured = (): Payment =>
  tellAll(
    newPayment("PULL").next,
    at,
    { role: "screening", status: "APPROVED" },
    { role: "pull", kind: "AUTHORIZED" },
    { role: "pull", kind: "CAPTURED" },
  ).next;

const asked = (payment: Payment, externalId: string, minor: bigint): Payment => {
  const amount = { digits: minor, scale: 2 };
  return applyCommand(payment, { kind: "refund", externalId, amount, reason: undefined }, at).next;
};

const hear = (payment: Payment, kind: PullFact["kind"], facts: Parameters<typeof pullFact>[2] = {}): Change =>
  applyFact(unchanged(payment), pullFact(payment, kind, { movementId: undefined, ...facts }), at);

const posted = ({ events }: Change): bigint[] =>
  events.flatMap((event) =>
    event.kind === "money"
      ? event.postings.flatMap(({ account, minor }) => (account.startsWith("provider/") ? [minor] : []))
      : [],
  );

describe("a movement that its provider gives no id", () => {
  it.each([
    [1_000n, 1_000n],
    [1_000n, 2_000n],
  ])("is a refund under its own key: one of %s and one of %s are two", (first, second) => {
    const one = hear(asked(captured(), "r1", first), "REFUNDED");
    const two = hear(asked(one.next, "r2", second), "REFUNDED");

    expect([posted(one), posted(two)]).toEqual([[first], [second]]);
    expect(two.next).toMatchObject({
      execution: { step: undefined },
      openCase: undefined,
      pull: { refundedMinor: first + second },
    });
    expect(two.next.refunds.map(({ status }) => status)).toEqual(["REFUNDED", "REFUNDED"]);
  });

  it("is the refund that is under way where it names none, and not one that an earlier one has told", () => {
    const one = hear(asked(captured(), "r1", 1_000n), "REFUNDED", { stepReference: undefined });
    const two = hear(asked(one.next, "r2", 1_000n), "REFUNDED", { stepReference: undefined });

    expect(posted(two)).toEqual([1_000n]);
    expect(two.next).toMatchObject({ openCase: undefined, pull: { refundedMinor: 2_000n } });
  });

  it.each(["m1", undefined])("never ends a refund by what was told of an earlier one: %s", (movementId) => {
    const key = asked(captured(), "r1", 1_000n).refunds[0]?.id;
    const told = { movementId, stepReference: key, minor: 1_000n };
    const one = hear(asked(captured(), "r1", 1_000n), "REFUNDED", told);
    const running = asked(one.next, "r2", 1_000n);
    const bare = movementId === undefined ? told : { ...told, stepReference: undefined };
    const again = hear(running, "REFUNDED", bare);

    expect(posted(again)).toEqual([]);
    expect(again.next).toMatchObject({ execution: { step: "refund" }, pull: { refundedMinor: 1_000n } });
  });

  it("is told again, with an id or without: the same one under the same key", () => {
    const running = asked(captured(), "r1", 1_000n);
    const stepReference = running.refunds[0]?.id;
    for (const [first, second] of [
      ["m", undefined],
      [undefined, "m"],
      [undefined, undefined],
    ] as const) {
      const one = hear(running, "REFUNDED", { movementId: first, stepReference });
      const two = hear(one.next, "REFUNDED", { movementId: second, stepReference, minor: 1_000n });
      expect([...posted(one), ...posted(two)]).toEqual([1_000n]);
      expect(two.next.openCase).toBeUndefined();
    }
  });

  it("is told again with another amount: a person finds out", () => {
    const one = hear(asked(captured(), "r1", 1_000n), "REFUNDED");
    const { id = "" } = one.next.refunds[0] ?? {};
    const other = hear(one.next, "REFUNDED", { stepReference: id, minor: 900n });

    expect(posted(other)).toEqual([]);
    expect(other.next.openCase?.kinds).toEqual(["CONTRADICTION"]);
  });

  it("is a dispute under a key of its own: two of one amount are two", () => {
    const one = hear(captured(), "CHARGED_BACK", { stepReference: "d1", minor: 1_000n });
    const two = hear(one.next, "CHARGED_BACK", { stepReference: "d2", minor: 1_000n });

    expect([posted(one), posted(two)]).toEqual([[1_000n], [1_000n]]);
  });

  it.each(["CHARGED_BACK", "REFUNDED", "RETURNED"] as const)(
    "is %s twice without any key: nothing tells whether it is one more, and a person finds out each time",
    (kind) => {
      const one = hear(captured(), kind, { minor: 1_000n });
      const closed = { ...one.next, openCase: undefined };
      const two = hear(closed, kind, { minor: 1_000n });
      const three = hear({ ...two.next, openCase: undefined }, kind, { minor: 1_000n });

      expect([posted(one), posted(two), posted(three)]).toEqual([[1_000n], [], []]);
      expect([two, three].map(({ next }) => next.openCase?.kinds)).toEqual([["CONTRADICTION"], ["CONTRADICTION"]]);
      expect(hear(two.next, kind, { minor: 1_000n }).caseNotes).toEqual([]);
    },
  );

  it("is a collection that one side has a key for and the other has none: a person finds out", () => {
    const keyed = hear(captured(), "CAPTURED", { stepReference: "key" });

    expect(posted(keyed)).toEqual([]);
    expect(keyed.next.openCase?.kinds).toEqual(["CONTRADICTION"]);
  });
});

describe("a refund that is under way beside a total that was told before it began", () => {
  it("is not of that total", () => {
    const console = hear(captured(), "REFUNDED", { isTotal: true, minor: 1_000n });
    const running = asked(console.next, "r1", 1_000n);
    const done = tell(unchanged(running), { role: "pull", kind: "REFUNDED" }, at);

    expect(posted(done)).toEqual([1_000n]);
    expect(done.next).toMatchObject({ execution: { step: undefined }, pull: { refundedMinor: 2_000n } });
  });
});
