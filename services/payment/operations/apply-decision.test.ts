import { newPayment } from "../../../test/support/payment-builder";
import type { Payment } from "../domain/payment";
import { makeApplyDecision } from "./apply-decision";

const pushed = newPayment("PUSH").next;

/** Returns the ids of the payments that are asked about once a decision about one is announced. */
async function askedAbout(payment: Payment | undefined): Promise<string[]> {
  const asked: string[] = [];
  const hear = makeApplyDecision({
    payments: { find: () => Promise.resolve(payment) },
    ask({ id }) {
      asked.push(id);
      return Promise.resolve();
    },
  });
  await hear({ paymentId: pushed.id });
  return asked;
}

describe("news of a decision", () => {
  it.each([
    ["was asked and not answered", { state: "PayoutAccepted", step: "screen" }],
    ["waits for the provider", { state: "ManualReview", step: undefined }],
    ["waits for a person", { state: "BlockedPendingReview", step: undefined }],
    ["waits after its debit has settled", { state: "PaymentSettled", step: undefined }],
  ] as const)("has a payment asked about that %s", async (_name, { state, step }) => {
    expect(await askedAbout({ ...pushed, state, execution: { ...pushed.execution, step } })).toEqual([pushed.id]);
  });

  it.each([
    ["is being released", { state: "ReviewApproved", step: "release" }],
    ["is over", { state: "Completed", step: undefined }],
    ["has been refused", { state: "ReviewRejected", step: "cancel" }],
  ] as const)("leaves a payment alone that %s", async (_name, { state, step }) => {
    expect(await askedAbout({ ...pushed, state, execution: { ...pushed.execution, step } })).toEqual([]);
  });

  it("of a payment that nobody knows is no fault", async () => {
    expect(await askedAbout(undefined)).toEqual([]);
  });
});
