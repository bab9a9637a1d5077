import { beginningOfTime, monotonicMs, parseInstant, plusMs, systemClock } from "../kernel/clock";
import { errorFields, type Logger } from "../process/logger";
import type { Lease } from "../storage/lease";
import type { Replays } from "../storage/replays";
import { replaySubjectOf } from "./bus-users";
import type { Bus, StreamSpec } from "./jetstream";
import type { OutboxMessage, OutboxSource } from "./outbox";

/** Publishes again what was published long ago, for those who missed it and for operators who ask for it. */
export interface OutboxReplayer {
  /** Works on one replay that was asked for, if there is any. */
  work(): Promise<void>;
  /** The outbox was found empty by a look that began at this time of the record's clock. */
  drained(begunAt: Date): Promise<void>;
}

interface Deps<M extends OutboxMessage> {
  source: OutboxSource<M>;
  bus: Bus;
  stream: StreamSpec;
  replays: Replays;
  lease: Lease;
  logger: Logger;
  /** Publishes a page, and throws when any of it was not acknowledged. */
  publish(page: readonly M[]): Promise<void>;
  /** Has the relay look. */
  wake(): void;
}

/** What is asked for on the bus. */
interface Asked {
  id: string;
  since: Date;
  subject: string;
}

const lookMs = 10_000;
/** A transaction that carries an earlier time may be committed so much later, milliseconds. */
const slackMs = 10 * 60_000;
const pageSize = 500;

/** Name of the message that tells the end of a replay to those who asked for it. */
const endPrefix = "replay-done/";

/** Id of the replay whose end a message tells; undefined for every other message. */
export const replayEndOf = (messageId: string | undefined, payload: Uint8Array): string | undefined =>
  payload.length === 0 && messageId?.startsWith(endPrefix) === true
    ? messageId.slice(endPrefix.length).split("@")[0]
    : undefined;

export function makeOutboxReplayer<M extends OutboxMessage>(deps: Deps<M>): OutboxReplayer {
  const { source, bus, stream, replays, lease, publish, wake } = deps;
  let isReady = false;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let notedDay = "";
  hearWishes(deps, async ({ id, since, subject }) => {
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
      // Looked for again at once behind this one.
      if (replay === undefined) lookedMs = monotonicMs();
      else {
        const from = (await replays.committedFrom(stream.name, replay.since)) ?? beginningOfTime;
        let published = 0;
        for await (const page of inPages(source.since(from), pageSize)) {
          if (!(await lease.hold())) return;
          // Under other names: the stream would drop what it had a moment ago, also when it has it no longer.
          await publish(page.map((message) => ({ ...message, id: `${message.id}@${replay.id}` })));
          published += page.length;
          await replays.advance(replay.id, published);
        }
        if (replay.subject !== undefined) await tellEnd(bus, replay.id, replay.subject);
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

/** An end that is told a second time is another message, since the stream would drop a repeat. */
async function tellEnd(bus: Bus, id: string, subject: string): Promise<void> {
  const committedAt = systemClock.now();
  const name = `${endPrefix}${id}@${committedAt.getTime()}`;
  await bus.publish({ id: name, subject, payload: new Uint8Array(), traceparent: undefined, committedAt });
}

function hearWishes(
  { bus, stream, logger }: { bus: Bus; stream: { name: string }; logger: Logger },
  hear: (asked: Asked) => Promise<void>,
): void {
  bus.onSignal(replaySubjectOf(stream.name), (text) => {
    // Told at each new connection; a wish that was missed is told again by whoever misses messages.
    if (text === "") return;
    const asked = parseAsked(text);
    if (asked === undefined) logger.warn({ stream: stream.name }, "a wish for a replay cannot be read");
    else hear(asked).catch((error: unknown) => logger.warn(errorFields(error), "a wish for a replay is not kept"));
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
