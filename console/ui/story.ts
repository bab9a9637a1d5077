import type { PaymentTimeline } from "../../sdk/src/gen/api";
import type { Tone } from "./status";

type Posting = PaymentTimeline["postings"][number];
type Delivery = PaymentTimeline["webhookDeliveries"][number];
type Change = PaymentTimeline["states"][number];
type Attempt = PaymentTimeline["attempts"][number];

/** One thing that happened to a payment. */
export type Happening = { readonly key: string; readonly at: string | null; readonly sequence: number } & (
  | { readonly kind: "state" | "compliance" | "payout"; readonly change: Change }
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  | { readonly kind: "posting"; readonly posting: Posting }
  | { readonly kind: "delivery"; readonly delivery: Delivery }
);

/** Within one change, causes come before their effects. */
const rank: Readonly<Record<Happening["kind"], number>> = {
  attempt: 0,
  compliance: 1,
  posting: 2,
  state: 3,
  payout: 4,
  delivery: 5,
};

/**
 * Puts everything in one causal order. Changes have a sequence; a call to a provider has only a time, and comes before the first change
 * that is not older than it; a delivery follows the change that it reports.
 */
export function storyOf(
  timeline: Pick<PaymentTimeline, "states" | "compliance" | "payout" | "attempts" | "postings" | "webhookDeliveries">,
): readonly Happening[] {
  const { states, compliance, payout, attempts, postings, webhookDeliveries } = timeline;
  const change = (kind: "state" | "compliance" | "payout") => (one: Change, index: number) => ({
    kind,
    key: `${kind} ${index}`,
    at: one.at,
    sequence: one.sequence,
    change: one,
  });
  const changes = [
    ...states.map(change("state")),
    ...compliance.map(change("compliance")),
    ...payout.map(change("payout")),
    ...postings.map((posting, index) => ({
      kind: "posting" as const,
      key: `posting ${index}`,
      at: posting.at,
      sequence: posting.sequence,
      posting,
    })),
  ];
  const last = changes.reduce((most, { sequence }) => Math.max(most, sequence), 0);
  const calls = attempts.map((attempt, index) => ({
    kind: "attempt" as const,
    key: `attempt ${index}`,
    at: attempt.at,
    sequence: sequenceOf(attempt, changes) ?? last + 1,
    attempt,
  }));
  const told = webhookDeliveries.map((delivery) => ({
    kind: "delivery" as const,
    key: `delivery ${delivery.deliveryId}`,
    at: changes.find(({ sequence }) => sequence === delivery.sequence)?.at ?? null,
    sequence: delivery.sequence,
    delivery,
  }));
  return [...changes, ...calls, ...told].sort(
    (one, other) => one.sequence - other.sequence || rank[one.kind] - rank[other.kind],
  );
}

function sequenceOf(
  { at }: Attempt,
  changes: readonly { readonly at: string | null; readonly sequence: number }[],
): number | undefined {
  if (at === null) return undefined;
  const later = changes.filter((one) => one.at !== null && one.at >= at).map(({ sequence }) => sequence);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** The tone of a provider's answer. */
export const toneOfOutcome = (outcome: string): Tone =>
  /unknown/i.test(outcome) ? "wait" : /declin|refus|reject|fail|error/i.test(outcome) ? "bad" : "off";
