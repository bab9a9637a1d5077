/** A committed message on its way to the bus. */
export interface OutboxMessage {
  /** The same on every publish of this message; the stream drops repeats by it for a while. */
  id: string;
  subject: string;
  payload: Uint8Array;
  /** W3C traceparent of the work that caused the message. */
  traceparent: string | undefined;
  /** When it was committed; the relay measures its lag from here. */
  committedAt: Date;
}

/**
 * Where a service keeps the messages that it committed together with its state. Rows stay 7 days after they were
 * published, so that a lost stream can be filled again.
 */
export interface OutboxSource<M extends OutboxMessage> {
  /**
   * At most `limit` messages that are not marked as published, oldest first. With `after`, only those behind it in the same order:
   * the relay reads the next page while the present one is on its way. Now and then it asks without `after` again, so a message
   * that was committed out of order is found too.
   */
  pending(limit: number, after?: M): Promise<M[]>;
  /** Remembers that these messages are in the stream. Repeating it changes nothing. */
  markPublished(messages: readonly M[]): Promise<void>;
  /** Every message committed at `from` or later, published or not, oldest first. */
  since(from: Date): AsyncIterable<M>;
  /** What this process has just committed, so that it need not be read to be published. */
  fresh?: FreshMessages<M>;
}

/** Messages that this process has committed and nobody has published yet. The store has them all, so any may be dropped. */
export interface FreshMessages<M extends OutboxMessage> {
  /** Calls back when there is news; one listener. */
  listen(onNews: () => void): void;
  /** Takes those whose time has come, in the order of their commits. */
  take(limit: number): M[];
  /** Milliseconds until the next one's time comes; undefined when there is none. */
  restMs(): number | undefined;
  /** Forgets all of them, since the store is asked now. True when there was any. */
  drop(): boolean;
  /** True when something was committed that is not here, until `drop`. */
  isIncomplete(): boolean;
  /** Nothing waits for company any more. */
  hasten(): void;
}
