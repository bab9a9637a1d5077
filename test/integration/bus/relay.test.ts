import { nudgeOf } from "../../../services/shared/bus/bus-users";
import type { Relay } from "../../../services/shared/bus/outbox-relay";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { makeLease } from "../../../services/shared/storage/lease";
import { type BusTestbed, eventually, type MemoryOutbox, makeMemoryOutbox, startBusTestbed } from "./bus-testbed";

const clock = { now: () => new Date() };

describe("startRelay", () => {
  let base: BusTestbed;
  let outbox: MemoryOutbox;
  const relays: Relay[] = [];
  const start = (holder: string, metrics = makeMetrics("test")): Relay => {
    const relay = base.relay(outbox, holder, metrics);
    relays.push(relay);
    return relay;
  };
  /** One that looks by itself at its start only. */
  const startQuiet = (holder: string): Relay => {
    const relay = base.relay(outbox, holder, makeMetrics("test"), 600_000);
    relays.push(relay);
    return relay;
  };
  const published = (count: number): Promise<void> => eventually(() => outbox.published.size === count);

  beforeEach(async () => {
    base = await startBusTestbed();
    outbox = makeMemoryOutbox(clock);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await base.stop();
  });

  it("publishes everything once, in the order of the outbox", async () => {
    const texts = Array.from({ length: 1_200 }, (_, index) => `message ${index}`);
    for (const text of texts) outbox.add(text, base.subject);

    start("a");
    await published(texts.length);

    expect(await base.texts()).toEqual(texts);
  });

  it("publishes within milliseconds of a nudge, and measures the lag", async () => {
    const metrics = makeMetrics("test");
    const relay = start("a", metrics);
    outbox.add("first", base.subject);
    await published(1);

    const times: number[] = [];
    for (let count = 2; count <= 21; count += 1) {
      const startMs = performance.now();
      outbox.add("next", base.subject);
      relay.nudge();
      await eventually(() => outbox.published.size === count);
      times.push(performance.now() - startMs);
    }

    // Without a nudge each would wait for the next look; some may, on a busy machine.
    expect(times.toSorted((a, b) => a - b)[5]).toBeLessThan(100);
    expect(await metrics.registry.metrics()).toMatch(/corridor_relay_lag_seconds_count\{[^}]*\} 21/);
  });

  it("finds without a nudge what was committed", async () => {
    start("a");
    await eventually(() =>
      base.texts().then(
        (texts) => texts.length === 0,
        () => false,
      ),
    );
    outbox.add("quiet", base.subject);

    await published(1);
  });

  it("hears from another replica that something was committed", async () => {
    startQuiet("a");
    outbox.add("early", base.subject);
    await published(1);
    outbox.add("of another", base.subject);

    base.bus.signal(nudgeOf(base.stream.name), "another");

    await published(2);
  });

  it("takes over from a holder that died as soon as its lease ends", async () => {
    const { connection } = base.mongo;
    const name = base.stream.name.replace("TEST_", "relay-");
    // No process gives its lease back, or announces what it has committed.
    await makeLease({ connection, name, holder: "dead", ttlMs: 1_200 }).hold();
    outbox.add("late", base.subject);

    startQuiet("a");

    await published(1);
    const lease = await connection.collection<{ _id: string }>("leases").findOne({ _id: name });
    expect(lease).toMatchObject({ holder: "a" });
  });

  it("leaves the lease to others when it has nothing to do", async () => {
    startQuiet("a");
    outbox.add("one", base.subject);
    await published(1);

    await eventually(async () => {
      const lease = await base.mongo.connection.collection<{ expiresAt: Date }>("leases").findOne({});
      return lease !== null && lease.expiresAt < new Date();
    });
  });

  it("lets one of two publish, and the other when the first ends", async () => {
    const first = start("a");
    outbox.add("one", base.subject);
    await published(1);
    const second = start("b");
    outbox.add("two", base.subject);
    // The nudge of a waiting relay reaches the one that holds the lease.
    second.nudge();
    await published(2);

    await first.stop();
    relays.splice(relays.indexOf(first), 1);
    outbox.add("three", base.subject);
    second.nudge();
    await published(3);

    expect(await base.texts()).toEqual(["one", "two", "three"]);
  });

  it("fills a deleted stream again with everything that the outbox keeps", async () => {
    start("a");
    for (const text of ["one", "two", "three"]) outbox.add(text, base.subject);
    await published(3);

    const { manager } = await base.bus.client();
    await manager.streams.delete(base.stream.name);
    outbox.add("four", base.subject);
    await published(4);

    await eventually(() =>
      base.texts().then(
        (texts) => new Set(texts).size === 4,
        () => false,
      ),
    );
    expect(new Set(await base.texts())).toEqual(new Set(["one", "two", "three", "four"]));
  });

  it("fills a stream again that is shorter than what it acknowledged", async () => {
    const relay = start("a");
    for (const text of ["one", "two", "three"]) outbox.add(text, base.subject);
    await published(3);
    await relay.stop();
    relays.splice(0);
    // As if the server had lost its last messages: the stream is as it was made, but ends earlier than remembered.
    const positions = base.mongo.connection.collection<{ _id: string }>("relay_positions");
    await positions.updateOne({ _id: base.stream.name }, { $set: { lastSequence: 50 } });
    const metrics = makeMetrics("test");
    start("b", metrics);

    await eventually(async () => {
      const position = await positions.findOne({ _id: base.stream.name });
      return position !== null && "lastSequence" in position && position["lastSequence"] === 3;
    });
    expect(await metrics.registry.metrics()).toMatch(/corridor_relay_refills_total\{[^}]*\} 1/);
  });
});
