import type { Disabled } from "./subscription";

/** What happened to a subscription by itself, in its place among all of that subscription. It is told to the audit log. */
export interface SubscriptionChange {
  subscriptionId: string;
  tenant: string;
  /** 1, 2, 3 and so on. */
  sequence: number;
  at: Date;
  /** Why it was disabled; undefined when it was enabled. */
  reason: Disabled["reason"] | undefined;
  /** Of the REST request that caused it, if one did. */
  requestId: string | undefined;
  /** W3C traceparent of the work that caused it. */
  traceparent: string | undefined;
}
