import { type Bus, openBus, type StreamSpec } from "../../../services/shared/bus/jetstream";
import { firstHeader } from "../../../services/shared/bus/novelty";
import type { OutboxMessage, OutboxSource } from "../../../services/shared/bus/outbox";
import { type Relay, startRelay } from "../../../services/shared/bus/outbox-relay";
import type { Clock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Logger } from "../../../services/shared/process/logger";
import { type Metrics, makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeLease } from "../../../services/shared/storage/lease";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs `check` until it answers true; fails after a minute. */
export async function eventually(
  check: () => boolean | Promise<boolean>,
  waitMs = 60_000,
  everyMs = 10,
): Promise<void> {
  const endMs = performance.now() + waitMs;
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error("what was awaited did not happen");
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

export interface Row extends OutboxMessage {
  place: number;
}

/** An outbox in memory; what is under test is the relay. */
export interface MemoryOutbox extends OutboxSource<Row> {
  add(text: string, subject: string): Row;
  published: Set<string>;
  /** Id of the first message with this text; empty when there is none. */
  idOf(text: string): string;
}

export function makeMemoryOutbox(clock: Clock): MemoryOutbox {
  const rows: Row[] = [];
  const published = new Set<string>();
  return {
    published,
    idOf: (text) => rows.find(({ payload }) => Buffer.from(payload).toString() === text)?.id ?? "",
    add(text, subject) {
      const id = systemIds.uuid();
      const payload = Buffer.from(text);
      const row = { place: rows.length, id, subject, payload, traceparent: undefined, committedAt: clock.now() };
      rows.push(row);
      return row;
    },
    async pending(limit, after) {
      return rows.filter(({ id, place }) => !published.has(id) && place > (after?.place ?? -1)).slice(0, limit);
    },
    async markPublished(messages) {
      for (const { id } of messages) published.add(id);
    },
    async *since(from) {
      yield* rows.filter(({ committedAt }) => committedAt >= from);
    },
  };
}

export interface BusTestbed {
  testbed: TestTestbed;
  mongo: Mongo;
  bus: Bus;
  /** A stream of its own name. */
  stream: StreamSpec;
  subject: string;
  relay(source: OutboxSource<Row>, holder: string, metrics?: Metrics, lookMs?: number): Relay;
  /** Texts of the stream, in its order. */
  texts(): Promise<string[]>;
  /** Those that came as the first with their events. */
  firsts(): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startBusTestbed(): Promise<BusTestbed> {
  const testbed = await startTestTestbed();
  const mongo = await openMongo({
    uri: testbed.mongoUri,
    database: testbed.database("bus"),
    profile: "local",
    tracing: noTracing,
  });
  const bus = await openBus({ url: testbed.natsUrl, name: "test", logger: silent });
  const word = `t${systemIds.bytes(6).toString("hex")}`;
  const stream = { name: `TEST_${word}`, subjects: [`test.${word}.>`], replicas: 1 };
  const subject = `test.${word}.events`;
  const messages = async () => {
    const { manager } = await bus.client();
    const { state } = await manager.streams.info(stream.name);
    const numbers = Array.from({ length: state.messages }, (_, index) => state.first_seq + index);
    const found = await Promise.all(numbers.map((seq) => manager.streams.getMessage(stream.name, { seq })));
    return found.flatMap((message) => message ?? []);
  };
  return {
    testbed,
    mongo,
    bus,
    stream,
    subject,
    relay: (source, holder, metrics = makeMetrics("test"), lookMs = 500) =>
      startRelay({
        source,
        bus,
        stream,
        connection: mongo.connection,
        lease: makeLease({ connection: mongo.connection, name: `relay-${word}`, holder, ttlMs: 600 }),
        clock: { now: () => new Date() },
        logger: silent,
        tracing: noTracing,
        metrics,
        lookMs,
      }),
    texts: async () => (await messages()).map(({ data }) => Buffer.from(data).toString()),
    firsts: async () =>
      (await messages())
        .filter(({ header }) => header.has(firstHeader))
        .map(({ data }) => Buffer.from(data).toString()),
    async stop() {
      await bus.stop();
      await mongo.stop();
      await testbed.stop();
    },
  };
}
