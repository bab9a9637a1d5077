import type { Disabled } from "./subscription";

/** A change of a subscription that no caller asked for, numbered within the subscription. The audit log records it. */
export interface SubscriptionChange {
  subscriptionId: string;
  tenant: string;
  /** 1, 2, 3 and so on. */
  sequence: number;
  at: Date;
  /** Why it was disabled; undefined when it was enabled. */
  reason: Disabled["reason"] | undefined;
  /** Id of the REST request that caused it, if any. */
  requestId: string | undefined;
  /** W3C traceparent of the work that caused it. */
  traceparent: string | undefined;
}
