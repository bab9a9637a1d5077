import type { FieldViolation } from "../shared/kernel/errors";
import type { AttemptAnswer } from "./domain/attempt-outcome";
import type { SigningKeys } from "./domain/signature";
import type { Subscription } from "./domain/subscription";

/** One attempt to hand a delivery to its endpoint. */
export interface Attempt {
  url: string;
  /** Id of the event, or of the batch. */
  eventId: string;
  /** Place of the event among those of its subject; of a batch, place of its first event among all of the tenant. */
  sequence: number;
  /** 1 for the first. */
  attempt: number;
  body: string;
  keys: SigningKeys | undefined;
  traceparent: string | undefined;
}

/** Sends one attempt. Never throws for what the other side does. */
export type Send = (attempt: Attempt) => Promise<AttemptAnswer>;

/** What is wrong with where the host of an endpoint leads, at most one violation of `url`. */
export type ReachViolations = (url: string) => Promise<FieldViolation[]>;

/** The keys that sign for a subscription now, or undefined when it has no secret. */
export type KeysOf = (subscription: Subscription) => SigningKeys | undefined;
