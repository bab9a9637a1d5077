import type { FeedEvent } from "./event";

/** Events that are stored together for one tenant. */
export interface FeedPage {
  tenant: string;
  /** By ascending position, without gaps. */
  events: readonly FeedEvent[];
  /** The last event handled of each subject once this page is stored, by stream and subject. */
  handled: ReadonlyMap<string, number>;
  at: Date;
}
