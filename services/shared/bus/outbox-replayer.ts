import { beginningOfTime, monotonicMs, parseInstant, plusMs, systemClock } from "../kernel/clock";
import { errorFields, type Logger } from "../process/logger";
import type { Lease } from "../storage/lease";
import type { Replays } from "../storage/replays";
import { replaySubjectOf } from "./bus-users";
import type { Bus, StreamSpec } from "./jetstream";
import type { OutboxMessage, OutboxSource } from "./outbox";

/** Publishes old messages again, for consumers that missed them and for operators who ask for them. */
export interface OutboxReplayer {
  /** Works on one requested replay, if any. */
  work(): Promise<void>;
  /** Notes that a read that began at this time of the store's clock found the outbox empty. */
  drained(begunAt: Date): Promise<void>;
}

interface Deps<M extends OutboxMessage> {
  source: OutboxSource<M>;
  bus: Bus;
  stream: StreamSpec;
  replays: Replays;
  lease: Lease;
  logger: Logger;
  /** Publishes a page. Throws when any message was not acknowledged. */
  publish(page: readonly M[]): Promise<void>;
  /** Wakes the relay. */
  wake(): void;
}

/** A replay requested on the bus. */
interface Asked {
  id: string;
  since: Date;
  subject: string;
}

const lookMs = 10_000;
/** How long after its own time a transaction may still commit, milliseconds. */
const slackMs = 10 * 60_000;
const pageSize = 500;

/** Prefix of the id of the message that announces the end of a replay. */
const endPrefix = "replay-done/";

/** Id of the replay whose end a message announces; undefined for every other message. */
export const replayEndOf = (messageId: string | undefined, payload: Uint8Array): string | undefined =>
  payload.length === 0 && messageId?.startsWith(endPrefix) === true
    ? messageId.slice(endPrefix.length).split("@")[0]
    : undefined;

export function makeOutboxReplayer<M extends OutboxMessage>(deps: Deps<M>): OutboxReplayer {
  const { source, bus, stream, replays, lease, publish, wake } = deps;
  let isReady = false;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let notedDay = "";
  onReplayRequests(deps, async ({ id, since, subject }) => {
    await replays.ask({ id, since, subject });
    await replays.askAgain(id);
    lookedMs = Number.NEGATIVE_INFINITY;
    wake();
  });
  return {
    async work() {
      if (monotonicMs() - lookedMs < lookMs) return;
      if (!isReady) await replays.init();
      isReady = true;
      const replay = await replays.next();
      // The next replay is looked up right after this one.
      if (replay === undefined) lookedMs = monotonicMs();
      else {
        const from = (await replays.committedFrom(stream.name, replay.since)) ?? beginningOfTime;
        let published = 0;
        for await (const page of inPages(source.since(from), pageSize)) {
          if (!(await lease.hold())) return;
          // With new ids: the stream drops ids that it saw recently, even if it no longer has the messages.
          await publish(page.map((message) => ({ ...message, id: `${message.id}@${replay.id}` })));
          published += page.length;
          await replays.advance(replay.id, published);
        }
        if (replay.subject !== undefined) await announceEnd(bus, replay.id, replay.subject);
        await replays.done(replay.id);
      }
    },
    async drained(begunAt) {
      const day = systemClock.now().toISOString().slice(0, 10);
      if (day === notedDay) return;
      await replays.note(stream.name, plusMs(begunAt, -slackMs));
      notedDay = day;
    },
  };
}

/** Announces the end of a replay. A repeat gets a new id, since the stream would drop the same one. */
async function announceEnd(bus: Bus, id: string, subject: string): Promise<void> {
  const committedAt = systemClock.now();
  const name = `${endPrefix}${id}@${committedAt.getTime()}`;
  await bus.publish({ id: name, subject, payload: new Uint8Array(), traceparent: undefined, committedAt });
}

function onReplayRequests(
  { bus, stream, logger }: { bus: Bus; stream: { name: string }; logger: Logger },
  store: (asked: Asked) => Promise<void>,
): void {
  bus.onSignal(replaySubjectOf(stream.name), (text) => {
    // Sent at each new connection; a missed request is repeated by the consumer that misses messages.
    if (text === "") return;
    const asked = parseAsked(text);
    if (asked === undefined) logger.warn({ stream: stream.name }, "a request for a replay cannot be read");
    else
      store(asked).catch((error: unknown) => logger.warn(errorFields(error), "a request for a replay was not stored"));
  });
}

function parseAsked(text: string): Asked | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { id, since, subject } = { id: undefined, since: undefined, subject: undefined, ...value };
    if (typeof id !== "string" || typeof since !== "string" || typeof subject !== "string") return undefined;
    const at = parseInstant(since);
    return at === undefined ? undefined : { id, since: at, subject };
  } catch {
    return undefined;
  }
}

/** Messages of a source in pages. */
export async function* inPages<M>(messages: ReturnType<OutboxSource<M & OutboxMessage>["since"]>, size: number) {
  let page: M[] = [];
  for await (const message of messages) {
    page.push(message);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
