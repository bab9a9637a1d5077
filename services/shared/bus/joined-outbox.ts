import type { FreshMessages, Known, OutboxMessage, OutboxSource } from "./outbox";

/** A message with the joined source that it is from. */
export interface JoinedMessage extends OutboxMessage {
  source: number;
  message: OutboxMessage;
}

/**
 * Joins several sources for a service whose stream has more than one kind of message: a stream has one relay, which refills
 * it as a whole. Order is kept within each source; pages list the earlier sources first.
 */
export function joinOutboxes(...sources: readonly OutboxSource<OutboxMessage>[]): OutboxSource<JoinedMessage> {
  const joined = (source: number, message: OutboxMessage): JoinedMessage => ({ ...message, source, message });
  return {
    fresh: joinFresh(sources, joined),
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
        const own = messages.filter((one) => one.source === index).map(({ message }) => message);
        if (own.length > 0) await source.markPublished(own);
      }
    },
    async *since(from) {
      for (const [index, source] of sources.entries()) {
        for await (const message of source.since(from)) yield joined(index, message);
      }
    },
  };
}

function joinFresh(
  sources: readonly OutboxSource<OutboxMessage>[],
  joined: (source: number, message: OutboxMessage) => JoinedMessage,
): FreshMessages<JoinedMessage> {
  const all = sources.flatMap(({ fresh }, index) => (fresh === undefined ? [] : [{ fresh, index }]));
  return {
    listen(onNews) {
      for (const { fresh } of all) fresh.listen(onNews);
    },
    take(limit) {
      const taken: (JoinedMessage & Known)[] = [];
      for (const { fresh, index } of all) {
        const own = fresh.take(limit - taken.length);
        taken.push(...own.map((message) => ({ ...joined(index, message), knownMs: message.knownMs })));
      }
      return taken;
    },
    restMs() {
      const rests = all.flatMap(({ fresh }) => fresh.restMs() ?? []);
      return rests.length === 0 ? undefined : Math.min(...rests);
    },
    drop: () => all.map(({ fresh }) => fresh.drop()).includes(true),
    isIncomplete: () => all.some(({ fresh }) => fresh.isIncomplete()),
    hasten() {
      for (const { fresh } of all) fresh.hasten();
    },
  };
}
