import { plusMs } from "../../shared/kernel/clock";
import { idle } from "./execution";
import { advance } from "./flow";
import { type Change, note, type Payment, type PaymentBase, type Payout, type Pull } from "./payment";
import { stepLeaseMs } from "./steps";
import type { LegsOf } from "./typed-legs";

/** Everything that a new payment is made from. */
export type NewPayment = LegsOf<Pull, Payout> &
  Pick<
    PaymentBase,
    | "id"
    | "tenant"
    | "externalId"
    | "agent"
    | "amount"
    | "quoteId"
    | "marginMinor"
    | "ipAddress"
    | "sender"
    | "terms"
    | "promises"
    | "createdAt"
    | "traceparent"
  >;

/** Creates a payment in its first stored form, with its first call recorded. */
export function createPayment(facts: NewPayment): Change {
  const at = facts.createdAt;
  const base = { occurredAt: at, messages: ["payment accepted"], cause: undefined };
  const created: Payment = {
    ...facts,
    refunds: [],
    fees: [],
    facts: [],
    openCase: undefined,
    accepted: undefined,
    blocked: undefined,
    caseCount: 0,
    state: "Created",
    status: "PENDING",
    compliance: "Pending",
    payoutStatus: undefined,
    automaticReversed: false,
    cause: undefined,
    cameFrom: undefined,
    capturedAt: undefined,
    cancelledAt: undefined,
    execution: { ...idle, dueAt: plusMs(at, stepLeaseMs) },
    updatedAt: at,
    eventCount: 2,
    version: 1,
  };
  const opening: Change = {
    next: created,
    events: [
      { kind: "status", oldStatus: undefined, newStatus: "Created", sequence: 1, ...base },
      { kind: "compliance", oldStatus: undefined, newStatus: "Pending", sequence: 2, ...base },
    ],
    history: [],
    caseNotes: [],
  };
  const noted = note(opening, { code: "PAYMENT", description: `${facts.type.toLowerCase()} accepted` }, at);
  return advance(facts.type === "PULL" ? opening : noted, at);
}
