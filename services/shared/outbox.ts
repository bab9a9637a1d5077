/** A committed message on its way to the bus. */
export interface OutboxMessage {
  /** The same on every publish of this message; the stream and the consumers drop repeats by it. */
  id: string;
  subject: string;
  payload: Uint8Array;
  /** W3C traceparent of the work that caused the message. */
  traceparent: string | undefined;
}

/**
 * Where a service keeps the messages that it committed together with its state. Rows stay 7 days after they were
 * published, so that a lost stream can be filled again.
 */
export interface OutboxSource<M extends OutboxMessage> {
  /**
   * At most `limit` unpublished messages, oldest first. The relay also asks for the next page before the present one is
   * marked, so it may see the same messages again and drops them.
   */
  pending(limit: number): Promise<M[]>;
  /** Remembers that these messages are in the stream. Repeating it changes nothing. */
  markPublished(messages: readonly M[]): Promise<void>;
  /** Every message committed at `from` or later, published or not, oldest first. */
  since(from: Date): AsyncIterable<M>;
}
