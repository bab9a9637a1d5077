import type { StoredSecret } from "./secret";

/** A registered endpoint of a tenant. */
export interface Subscription {
  id: string;
  tenant: string;
  url: string;
  /** Names as they were registered. */
  events: readonly string[];
  createdAt: Date;
  secret: StoredSecret | undefined;
  /** Since when nothing is sent, because the receiver said that the endpoint is gone. */
  disabledAt: Date | undefined;
}
