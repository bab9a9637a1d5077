import { newPayment } from "../../../test/support/payment-builder";
import type { Payment } from "./payment";
import { requireLegs } from "./typed-legs";

describe("the legs of a payment", () => {
  it("are not read of a type that lacks them", () => {
    const push = newPayment("PUSH").next;
    const pull = newPayment("PULL").next;
    // @ts-expect-error whether it collects is not known before its type is
    const collected = (payment: Payment): bigint => payment.pull.capturedMinor;
    const moved = (payment: Payment): bigint =>
      payment.type === "PUSH" ? payment.payout.paidMinor : payment.pull.capturedMinor;

    // @ts-expect-error a PUSH collects nothing
    expect(() => push.pull.capturedMinor).toThrow(TypeError);
    // @ts-expect-error a PULL pays no recipient
    expect(() => pull.payout.paidMinor).toThrow(TypeError);
    expect(() => collected(push)).toThrow(TypeError);
    expect([moved(push), moved(pull)]).toEqual([0n, 0n]);
  });

  it("are all that their type needs, and no others", () => {
    const leg = {};

    expect(requireLegs("PULLPUSH", leg, leg)).toEqual({ type: "PULLPUSH", pull: leg, payout: leg });
    expect(() => requireLegs("PULLPUSH", leg, undefined)).toThrow("other legs");
    expect(() => requireLegs("PULL", leg, leg)).toThrow("other legs");
    expect(() => requireLegs("PUSH", undefined, undefined)).toThrow("other legs");
  });
});
