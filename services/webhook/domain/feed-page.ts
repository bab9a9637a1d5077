import type { FeedEvent } from "./event";

/** What is stored together for one tenant. */
export interface FeedPage {
  tenant: string;
  /** By ascending position, without gaps. */
  events: readonly FeedEvent[];
  /** How far each subject is handled with it, by stream and subject. */
  handled: ReadonlyMap<string, number>;
  at: Date;
}
