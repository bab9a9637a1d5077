import type { FieldViolation } from "../shared/kernel/errors";
import type { AttemptAnswer } from "./domain/attempt-outcome";
import type { SigningKeys } from "./domain/signature";
import type { Subscription } from "./domain/subscription";

/** One attempt to send a delivery to its endpoint. */
export interface Attempt {
  url: string;
  /** Id of the event, or of the batch. */
  eventId: string;
  /** Number of the event within its subject; of a batch, feed position of its first event. */
  sequence: number;
  /** 1 for the first. */
  attempt: number;
  body: string;
  keys: SigningKeys | undefined;
  traceparent: string | undefined;
}

/** Sends one attempt. Never rejects because of the receiver. */
export type Send = (attempt: Attempt) => Promise<AttemptAnswer>;

/** Checks the addresses that the host of an endpoint resolves to; at most one violation, of `url`. */
export type ReachViolations = (url: string) => Promise<FieldViolation[]>;

/** The keys that sign for a subscription now, or undefined when it has no secret. */
export type KeysOf = (subscription: Subscription) => SigningKeys | undefined;
