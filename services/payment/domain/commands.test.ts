import { builtAt, cardPull, newPayment } from "../../../test/support/payment-builder";
import { applyCommand } from "./commands";
import { idle } from "./execution";
import type { Payment, Refund } from "./payment";

/** A pull of 100 USD that was captured, with 40 USD given back. */
const captured: Payment = {
  ...newPayment("PULL").next,
  state: "Completed",
  execution: idle,
  pull: cardPull({ capturedMinor: 10_000n, refundedMinor: 4_000n }),
};

const refund = (cents: bigint | undefined) =>
  applyCommand(
    captured,
    {
      kind: "refund",
      externalId: "r-1",
      amount: cents === undefined ? undefined : { digits: cents, scale: 2 },
      reason: undefined,
    },
    builtAt,
  );

describe("a refund", () => {
  it("is what is left to the last minor unit, and no unit more", () => {
    expect(refund(6_000n).next.refunds.at(-1)).toMatchObject({ minor: 6_000n });
    expect(refund(undefined).next.refunds.at(-1)).toMatchObject({ minor: 6_000n });
    expect(() => refund(6_001n)).toThrow("at most what was captured and not refunded");
    expect(() => refund(0n)).toThrow("must be more than 0");
  });
});

describe("the approval of a reversal", () => {
  const settled: Refund = {
    id: "r",
    externalId: undefined,
    minor: 1n,
    askedMinor: undefined,
    reason: undefined,
    status: "REFUNDED",
    requestedAt: builtAt,
    settledAt: builtAt,
  };
  const approve = (refunds: readonly Refund[]) => {
    const pending: Payment = { ...captured, state: "PendingReversalApproval", refunds };
    return applyCommand(pending, { kind: "approveReversal" }, builtAt).next;
  };

  it("begins one of at most a hundred by the platform, whatever the caller has refunded", () => {
    const byCaller = Array.from({ length: 100 }, (_, at) => ({ ...settled, externalId: `r-${at}` }));
    const byPlatform = Array.from({ length: 100 }, () => settled);

    expect(approve([...byCaller, ...byPlatform.slice(1)])).toMatchObject({
      execution: { step: "refund" },
      automaticReversed: true,
    });
    expect(() => approve(byPlatform)).toThrow(
      expect.objectContaining({ reason: "STATE_CONFLICT", details: expect.objectContaining({ mostRefunds: 100 }) }),
    );
  });
});
