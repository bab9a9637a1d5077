import { type Told, tell, tellAll } from "../../../test/support/facts";
import { builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { applyCommand } from "./commands";
import { type Change, type Payment, unchanged } from "./payment";
import { refusePayout } from "./payout-facts";
import { isUndone } from "./steps";

const pull = (kind: Extract<Told, { role: "pull" }>["kind"], minor?: bigint): Told => ({
  role: "pull",
  kind,
  ...(minor === undefined ? {} : { minor }),
});
const payout = (kind: Extract<Told, { role: "payout" }>["kind"]): Told => ({ role: "payout", kind });
const [approved, rejected]: readonly Told[] = [
  { role: "screening", status: "APPROVED" },
  { role: "screening", status: "REJECTED" },
];

const all = (payment: Payment, ...told: readonly (Told | undefined)[]): Payment =>
  tellAll(payment, at, ...told.filter((one) => one !== undefined)).next;
const refusal = { code: "REFUSED", reason: { code: "AC03", text: undefined }, evidence: undefined };
const refused = (payment: Payment): Change | undefined => refusePayout(unchanged(payment), refusal, at);

describe("a payout that is to be taken back and that its rail refuses as a whole", () => {
  it.each<[string, Payment]>([
    ["its caller cancels it", applyCommand(all(newPayment("PUSH").next, payout("HELD")), { kind: "cancel" }, at).next],
    ["screening rejects it", all(newPayment("PUSH").next, payout("PREPARED"), rejected)],
  ])("is taken back, and asks for no cancel any more: %s", (_name, payment) => {
    expect(payment.step).toBe("cancel");
    expect(isUndone("cancel", "refused")).toBe(false);
    expect(refused(payment)?.next).toMatchObject({ state: "Cancelled", step: undefined, payoutStatus: "VOIDED" });
  });

  it("lets the payer's authorisation go", () => {
    const held = all(newPayment("PULLPUSH").next, pull("AUTHORIZED"), payout("HELD"));
    const cancelling = applyCommand(held, { kind: "cancel" }, at).next;

    expect(refused(cancelling)?.next).toMatchObject({ state: "CancelRequested", step: "void" });
  });

  it("is refused after a release that its rail did not know", () => {
    const released = all(newPayment("PUSH").next, payout("PREPARED"), approved);
    const next = refused({ ...released, step: "cancel" })?.next;

    expect(next).toMatchObject({ state: "Cancelled", status: "DECLINED", step: undefined, cause: { code: "AC03" } });
  });

  it("is not undone by the refusal once it was paid", () => {
    const rejecting = all(newPayment("PUSH").next, payout("PREPARED"), rejected);
    const paid = tell(unchanged(rejecting), payout("PAID"), at).next;

    expect(refused(paid)).toBeUndefined();
  });
});
