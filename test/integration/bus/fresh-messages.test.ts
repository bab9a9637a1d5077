import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNats } from "../../../local/nats";
import { type FreshDrafts, makeFreshMessages } from "../../../services/shared/bus/fresh-messages";
import { openBus } from "../../../services/shared/bus/jetstream";
import { type Relay, startRelay } from "../../../services/shared/bus/outbox-relay";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeLease } from "../../../services/shared/storage/lease";
import {
  type BusTestbed,
  eventually,
  type MemoryOutbox,
  makeMemoryOutbox,
  type Row,
  silent,
  startBusTestbed,
} from "./bus-testbed";

const clock = { now: () => new Date() };

/** An outbox as one process sees it: what it commits itself it has in memory too. */
interface FreshOutbox extends MemoryOutbox {
  fresh: ReturnType<typeof makeFreshMessages<Row, Row>> & FreshDrafts<Row>;
  /** Commits a row, which may wait so long for others. */
  commit(text: string, lingerMs?: number): void;
  looks(): number;
  marks(): number;
}

function freshOver(outbox: MemoryOutbox, subject: string): FreshOutbox {
  const fresh = makeFreshMessages<Row, Row>({ merge: (_earlier, later) => later, toMessage: (row) => row });
  let [looks, marks] = [0, 0];
  return {
    ...outbox,
    fresh,
    looks: () => looks,
    marks: () => marks,
    commit(text, lingerMs = 0) {
      const row = outbox.add(text, subject);
      fresh.add(row.id, row, lingerMs);
    },
    pending(limit, after) {
      looks += 1;
      return outbox.pending(limit, after);
    },
    markPublished(messages) {
      marks += 1;
      return outbox.markPublished(messages);
    },
  };
}

describe("a relay with messages in memory", () => {
  let base: BusTestbed;
  let outbox: FreshOutbox;
  const relays: Relay[] = [];
  /** One that looks by itself at its start only. */
  const start = (holder: string, source: FreshOutbox | MemoryOutbox = outbox, metrics = makeMetrics("test")): Relay => {
    const relay = base.relay(source, holder, metrics, 600_000);
    relays.push(relay);
    return relay;
  };
  const isPublished = (count: number): Promise<void> => eventually(() => outbox.published.size === count);
  const isInStream = (count: number): Promise<void> => eventually(async () => (await base.texts()).length === count);

  beforeEach(async () => {
    base = await startBusTestbed();
    outbox = freshOver(makeMemoryOutbox(clock), base.subject);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await base.stop();
  });

  /** Has a relay come to its first rest: it has looked, and has the lease. */
  async function startResting(holder: string): Promise<Relay> {
    outbox.add("at the start", base.subject);
    const relay = start(holder);
    await isPublished(1);
    return relay;
  }

  it("publishes them without a look into the store, and marks them later, many at a time", async () => {
    await startResting("a");
    const [looks, marks] = [outbox.looks(), outbox.marks()];

    for (let count = 1; count <= 30; count += 1) outbox.commit(`message ${count}`);
    await isPublished(31);

    expect(outbox.looks()).toBe(looks);
    expect(outbox.marks() - marks).toBeLessThan(10);
    expect((await base.texts()).slice(1)).toEqual(Array.from({ length: 30 }, (_, index) => `message ${index + 1}`));
  });

  it("says of those alone that nobody can have been given them before", async () => {
    const relay = await startResting("a");
    outbox.commit("fresh");
    await isInStream(2);
    outbox.add("read", base.subject);
    relay.nudge();
    await isInStream(3);

    expect(await base.firsts()).toEqual(["fresh"]);
  });

  it("does not say so of what was committed while it read the store", async () => {
    const relay = await startResting("a");
    let isRead = false;
    const { pending } = outbox;
    outbox.pending = async (limit, after) => {
      if (!isRead) {
        const row = outbox.add("both", base.subject);
        outbox.fresh.add(row.id, { ...row, id: `${row.id}-again` }, 0);
      }
      isRead = true;
      return pending(limit, after);
    };
    relay.nudge();
    await isInStream(3);

    expect([await base.texts(), await base.firsts()]).toEqual([["at the start", "both", "both"], []]);
  });

  it("lets one wait for what follows it, and no longer than it was told", async () => {
    await startResting("a");

    outbox.commit("lingers", 3_000);
    outbox.commit("goes at once");
    await isInStream(3);

    expect((await base.texts()).slice(1)).toEqual(["goes at once", "lingers"]);
  });

  it("looks into the store when it is told that something is not in memory", async () => {
    await startResting("a");

    outbox.add("uncertain", base.subject);
    outbox.fresh.doubt();

    await isPublished(2);
  });

  it("leaves what a process has committed that died before it published to whoever takes over", async () => {
    // It commits, and never comes to publish.
    outbox.add("committed", base.subject);
    await makeLease({
      connection: base.mongo.connection,
      name: base.stream.name.replace("TEST_", "relay-"),
      holder: "dead",
      ttlMs: 700,
    }).hold();

    start("b", freshOver(outbox, base.subject));

    await isPublished(1);
  });

  it("publishes again what was published and not marked, which the stream drops", async () => {
    let hasMarked = false;
    const dying: FreshOutbox = {
      ...outbox,
      markPublished(messages) {
        // It dies in between: its lease ends, and its word never comes.
        if (messages.some(({ id }) => id !== first.id)) return new Promise(() => {});
        hasMarked = true;
        return outbox.markPublished(messages);
      },
    };
    const first = outbox.add("at the start", base.subject);
    base.relay(dying, "dying", makeMetrics("test"), 600_000);
    await eventually(() => hasMarked);
    outbox.commit("published, not marked");
    await isInStream(2);
    expect(outbox.published.size).toBe(1);

    start("b", makeReader(outbox));
    await isPublished(2);

    expect(await base.texts()).toEqual(["at the start", "published, not marked"]);
  });

  it("tells the holder what another replica commits, and publishes it once", async () => {
    await startResting("a");
    const other = freshOver(outbox, base.subject);
    start("b", other);

    other.commit("of the other");
    await isPublished(2);

    expect(await base.texts()).toEqual(["at the start", "of the other"]);
    expect(other.fresh.restMs()).toBeUndefined();
  });

  it("publishes when it stops what is still in memory, and marks it", async () => {
    const relay = await startResting("a");
    outbox.commit("last", 60_000);

    await relay.stop();

    expect(outbox.published.size).toBe(2);
    expect(await base.texts()).toEqual(["at the start", "last"]);
  });

  it("remembers how far the stream was filled before it marks anything", async () => {
    const order: string[] = [];
    const positions = base.mongo.connection.collection<{ _id: string; lastSequence: number }>("relay_positions");
    const watched: FreshOutbox = {
      ...outbox,
      async markPublished(messages) {
        const position = await positions.findOne({ _id: base.stream.name });
        order.push(`${messages.length} marked, position ${position?.lastSequence}`);
        await outbox.markPublished(messages);
      },
    };
    outbox.add("at the start", base.subject);
    start("a", watched);
    await isPublished(1);
    outbox.commit("two");
    outbox.commit("three");
    await isPublished(3);

    expect(order).toEqual(["1 marked, position 1", "2 marked, position 3"]);
  });

  it("fills a stream again that was lost before the position was written", async () => {
    const metrics = makeMetrics("test");
    outbox.add("at the start", base.subject);
    start("a", outbox, metrics);
    await isPublished(1);
    outbox.commit("lost");
    await isInStream(2);
    const { manager } = await base.bus.client();
    await manager.streams.delete(base.stream.name);
    outbox.commit("behind it");
    await isPublished(3);

    await eventually(async () => new Set(await base.texts()).size === 3);
  });
});

/** The outbox as a process sees it that has committed nothing. */
const makeReader = (outbox: MemoryOutbox): MemoryOutbox => ({
  add: outbox.add,
  idOf: outbox.idOf,
  published: outbox.published,
  pending: outbox.pending,
  markPublished: outbox.markPublished,
  since: outbox.since,
});

describe("a bus that is away while messages are in memory", () => {
  it("gets all of them once it is back with an empty disk", async () => {
    const dir = await mkdtemp(join(tmpdir(), "corridor-fresh-"));
    const base = await startBusTestbed();
    const { connection } = base.mongo;
    const first = await startNats({ dir });
    const bus = await openBus({ url: first.url, name: "test", logger: silent });
    const stream = { name: "TEST_FRESH", subjects: ["test.fresh.>"], replicas: 1 };
    const outbox = freshOver(makeMemoryOutbox(clock), "test.fresh.events");
    const lease = makeLease({ connection, name: "fresh", holder: "test" });
    const testbed = { logger: silent, tracing: noTracing, metrics: makeMetrics("test") };
    const relay = startRelay({ ...testbed, source: outbox, bus, stream, connection, lease, clock });
    outbox.commit("before");
    await eventually(() => outbox.published.size === 1);

    await first.stop();
    await rm(join(dir, "streams"), { recursive: true });
    outbox.commit("meanwhile");
    const second = await startNats({ dir, port: first.port });

    await eventually(() => outbox.published.size === 2);
    const { manager } = await bus.client();
    await eventually(async () => (await manager.streams.info(stream.name)).state.messages === 2);
    for (const part of [relay, bus, base, second]) await part.stop();
    await rm(dir, { recursive: true });
  });
});
