import type { StoredSecret } from "./secret";

/** Most subscriptions of one tenant. */
export const maxSubscriptions = 16;

/** A registered endpoint of a tenant. */
export interface Subscription {
  id: string;
  tenant: string;
  url: string;
  /** Names as they were registered. */
  events: readonly string[];
  isBatch: boolean;
  createdAt: Date;
  secret: StoredSecret | undefined;
  /** Since when it is disabled, and why. */
  disabled: Disabled | undefined;
  health: Health;
}

export interface Disabled {
  at: Date;
  /** The receiver answered that the endpoint is gone, or no attempt has succeeded for too long. */
  reason: "gone" | "failing";
}

/** The failures of an endpoint since its last success. */
export interface Health {
  /** Failed attempts in a row. */
  failures: number;
  failingSince: Date | undefined;
  /** No attempt before this time; afterwards one at a time, until one succeeds. */
  pausedUntil: Date | undefined;
}

export const healthy: Health = { failures: 0, failingSince: undefined, pausedUntil: undefined };
