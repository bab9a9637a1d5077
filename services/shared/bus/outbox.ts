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
   * At most `limit` unpublished messages, oldest first. With `after`, only those behind it in the same order: the relay
   * reads the next page while the present one is on its way. Now and then it asks without `after` again, so a message
   * that was committed out of order is found too.
   */
  pending(limit: number, after?: M): Promise<M[]>;
  /** Remembers that these messages are in the stream. Repeating it changes nothing. */
  markPublished(messages: readonly M[]): Promise<void>;
  /** Every message committed at `from` or later, published or not, oldest first. */
  since(from: Date): AsyncIterable<M>;
}
