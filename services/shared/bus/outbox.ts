/** A committed message on its way to the bus. */
export interface OutboxMessage {
  /** The same at every publish of this message; the stream uses it to drop repeats for a while. */
  id: string;
  subject: string;
  payload: Uint8Array;
  /** W3C traceparent of the work that caused the message. */
  traceparent: string | undefined;
  /** When it was committed; the relay measures its lag from here. */
  committedAt: Date;
  /** True when no message with any of its events was published before, as far as its relay knows. */
  isFirst?: boolean;
}

/**
 * The messages that a service committed together with its state. Rows stay 7 days after they were published, so that a lost
 * stream can be refilled.
 */
export interface OutboxSource<M extends OutboxMessage> {
  /**
   * Returns at most `limit` messages that are not marked as published, oldest first. With `after`, only those after it in the
   * same order: the relay reads the next page while it publishes this one. It periodically asks without `after`, to find
   * messages that were committed out of order.
   */
  pending(limit: number, after?: M): Promise<M[]>;
  /** Marks these messages as published. Idempotent. */
  markPublished(messages: readonly M[]): Promise<void>;
  /** Returns every message committed at `from` or later, published or not, oldest first. */
  since(from: Date): AsyncIterable<M>;
  /** The latest commits of this process, which can be published without reading them. */
  fresh?: FreshMessages<M>;
}

/** Something that a process has known since a time. */
export interface Known {
  knownMs: number;
}

/** Unpublished messages that this process has committed. The store has them all, so any may be dropped. */
export interface FreshMessages<M extends OutboxMessage> {
  /** Sets the one listener, called when there are new messages. */
  listen(onNews: () => void): void;
  /** Takes the due messages in the order of their commits, with the time since when they are here, in monotonic milliseconds. */
  take(limit: number): (M & Known)[];
  /** Milliseconds until the next one is due; undefined when there is none. */
  restMs(): number | undefined;
  /** Drops all of them, because the store is read now. Returns true when there were any. */
  drop(): boolean;
  /** True when something was committed that is not here, until `drop`. */
  isIncomplete(): boolean;
  /** Makes all messages due without further delay. */
  hasten(): void;
}
