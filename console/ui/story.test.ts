import type { PaymentTimeline } from "../../sdk/src/gen/api";
import { storyOf } from "./story";

const change = (sequence: number, at: string, to: string) => ({ sequence, at, to, from: null, messages: [] });
const attempt = (at: string | null) => ({
  step: "prepare",
  provider: "rail",
  approach: "send",
  outcome: "ACCEPTED",
  at,
  tookMs: 5,
});
const timeline: Pick<
  PaymentTimeline,
  "states" | "compliance" | "payout" | "attempts" | "postings" | "webhookDeliveries"
> = {
  states: [change(1, "2026-01-01T00:00:00Z", "Created"), change(3, "2026-01-01T00:00:02Z", "PayoutAccepted")],
  compliance: [change(2, "2026-01-01T00:00:01Z", "APPROVED")],
  payout: [],
  attempts: [attempt("2026-01-01T00:00:02Z"), attempt(null)],
  postings: [{ sequence: 3, at: "2026-01-01T00:00:02Z", messages: [], kind: "hold", postings: [] }],
  webhookDeliveries: [
    {
      deliveryId: "d",
      webhookId: "w",
      event: "TransactionStatusChanged",
      sequence: 1,
      status: "DELIVERED",
      attempts: 1,
      lastStatus: 200,
    },
  ],
};

describe("storyOf", () => {
  it("puts what causes before what follows from it", () => {
    expect(storyOf(timeline).map(({ kind, sequence }) => `${sequence} ${kind}`)).toEqual([
      "1 state",
      "1 delivery",
      "2 compliance",
      "3 attempt",
      "3 posting",
      "3 state",
      "4 attempt",
    ]);
  });
});
