import type { OutboxMessage, OutboxSource } from "./outbox";

/** A message and which of the joined sources it is from. */
export interface JoinedMessage extends OutboxMessage {
  source: number;
  message: OutboxMessage;
}

/**
 * Several sources as one, for a service whose stream has more than one kind of message: a stream has one relay, which fills
 * it again as a whole. Order is kept within each source; pages have all of the earlier sources first.
 */
export function joinOutboxes(...sources: readonly OutboxSource<OutboxMessage>[]): OutboxSource<JoinedMessage> {
  const joined = (source: number, message: OutboxMessage): JoinedMessage => ({ ...message, source, message });
  return {
    async pending(limit, after) {
      const page: JoinedMessage[] = [];
      for (const [index, source] of sources.entries()) {
        if (page.length >= limit || index < (after?.source ?? 0)) continue;
        const behind = index === after?.source ? after.message : undefined;
        const found = await source.pending(limit - page.length, behind);
        page.push(...found.map((message) => joined(index, message)));
      }
      return page;
    },
    async markPublished(messages) {
      for (const [index, source] of sources.entries()) {
        await source.markPublished(messages.filter((one) => one.source === index).map(({ message }) => message));
      }
    },
    async *since(from) {
      for (const [index, source] of sources.entries()) {
        for await (const message of source.since(from)) yield joined(index, message);
      }
    },
  };
}
