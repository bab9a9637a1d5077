import { randomUUID } from "node:crypto";
import { startRelay } from "../../../services/shared/bus/outbox-relay";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeLease } from "../../../services/shared/storage/lease";
import { startWebhook } from "../../../services/webhook/app";
import { leaseMs } from "../../../services/webhook/domain/lane";
import { eventually, makeMemoryOutbox, silent } from "../bus/bus-testbed";
import {
  encode,
  startWebhookWorld,
  statusEvents,
  statusesAt,
  stream,
  subject,
  type WebhookWorld,
} from "./webhook-world";

describe("recovery", () => {
  let world: WebhookWorld;
  let path: string;

  beforeEach(async () => {
    world = await startWebhookWorld();
    path = `/${randomUUID()}`;
  });
  afterEach(async () => {
    await world.stop();
  });

  const pause = (ms = 600): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it("delivers after a restart what was fanned out but not delivered, in order", async () => {
    const id = randomUUID();
    await world.subscribe(path);
    let isUp = false;
    world.sink.respond(path, (_received, response) => response.writeHead(isUp ? 200 : 500).end());
    await world.publish(statusEvents(id, 1, 5));
    await eventually(() => world.sink.received(path).length >= 1);
    await world.stopService();
    isUp = true;
    const before = world.sink.received(path).length;

    await world.startService();
    await eventually(() => world.sink.received(path).length >= before + 5);

    expect(statusesAt(world.sink, path).slice(before)).toEqual(["S1", "S2", "S3", "S4", "S5"]);
  });

  it("delivers what was published while the service was down", async () => {
    const id = randomUUID();
    await world.subscribe(path);
    await world.stopService();
    await world.publish(statusEvents(id, 1, 4));
    await pause();
    expect(world.sink.received(path)).toHaveLength(0);

    await world.startService();
    await eventually(() => world.sink.received(path).length >= 4);

    expect(statusesAt(world.sink, path)).toEqual(["S1", "S2", "S3", "S4"]);
  });

  it("takes over a queue whose holder died, and sends nothing before", async () => {
    const id = randomUUID();
    const subscriptionId = await world.subscribe(path);
    const queues = world.mongo.connection.collection<{ _id: string; [field: string]: unknown }>("queues");
    const leaseUntil = new Date(Date.now() + 1_500);
    const lease = { leaseHolder: "a dead process", leaseUntil, dueAt: new Date(), version: 1 };
    await queues.insertOne({ _id: subscriptionId, ...lease });
    await world.publish(statusEvents(id, 1, 2));

    await eventually(() => world.sink.received(path).length >= 2);

    expect(statusesAt(world.sink, path)).toEqual(["S1", "S2"]);
    expect(world.sink.received(path)[0]?.at).toBeGreaterThanOrEqual(leaseUntil.getTime());
  });

  it("keeps a queue while it works on it, and sends nothing more from one that another process has taken", async () => {
    const id = randomUUID();
    const subscriptionId = await world.subscribe(path);
    let end = (): void => {};
    // The first attempt, which is made before the queue is opened, fails; the one of the queue's worker hangs.
    world.sink.respond(path, (_received, response) => {
      if (world.sink.received(path).length === 1) response.writeHead(503).end();
      else end = () => response.writeHead(200).end();
    });
    const queues = world.mongo.connection.collection<{ _id: string; leaseHolder: string; leaseUntil: Date }>("queues");
    const lease = async () => (await queues.findOne({ _id: subscriptionId }))?.leaseUntil.getTime() ?? 0;
    await world.publish(statusEvents(id, 1, 3));
    await eventually(() => world.sink.received(path).length === 2);
    /** True when the lease grew twice before it would have ended. */
    const isRenewed = async (): Promise<boolean> => {
      const begun = await lease();
      await eventually(async () => (await lease()) >= begun + 2_000 || Date.now() > begun);
      return Date.now() <= begun;
    };
    // A busy machine may miss a lease or two.
    expect((await isRenewed()) || (await isRenewed()) || (await isRenewed())).toBe(true);

    const leaseUntil = new Date(Date.now() + 60_000);
    await queues.updateOne({ _id: subscriptionId }, { $set: { leaseHolder: "another process", leaseUntil } });
    await pause(leaseMs + 500);
    end();
    world.sink.respond(path, (_received, response) => response.writeHead(200).end());
    await pause(1_500);
    expect([...new Set(statusesAt(world.sink, path))]).toEqual(["S1"]);

    await queues.updateOne({ _id: subscriptionId }, { $set: { leaseHolder: "", leaseUntil: new Date(0) } });
    await eventually(() => new Set(statusesAt(world.sink, path)).size === 3, 60_000);
    expect([...new Set(statusesAt(world.sink, path))]).toEqual(["S1", "S2", "S3"]);
  });

  it("shares the work among replicas without repeating or reordering", async () => {
    await world.subscribe(path);
    const second = await startWebhook(world.config);
    const ids = Array.from({ length: 20 }, () => randomUUID());
    for (const [from, to] of [
      [1, 3],
      [4, 6],
    ] as const) {
      for (const id of ids) await world.publish(statusEvents(id, from, to));
    }

    await eventually(() => world.sink.received(path).length >= ids.length * 6);
    await pause();

    for (const id of ids) {
      expect(statusesAt(world.sink, path, id)).toEqual(["S1", "S2", "S3", "S4", "S5", "S6"]);
    }
    await second.stop();
  });

  it("delivers nothing twice when a deleted stream is filled again", async () => {
    await world.subscribe(path);
    const clock = { now: () => new Date() };
    const outbox = makeMemoryOutbox(clock);
    const { connection } = world.mongo;
    const relay = startRelay({
      source: outbox,
      bus: world.bus,
      stream,
      connection,
      lease: makeLease({ connection, name: "payment-relay", holder: "test" }),
      clock,
      logger: silent,
      tracing: noTracing,
      metrics: makeMetrics("test"),
    });
    const id = randomUUID();
    const commit = (from: number, to: number): void => {
      const row = outbox.add("", subject);
      row.payload = encode(statusEvents(id, from, to));
    };
    commit(1, 3);
    relay.nudge();
    await eventually(() => world.sink.received(path).length >= 3);
    const { manager } = await world.bus.client();

    await manager.streams.delete(stream.name);
    commit(4, 6);
    relay.nudge();

    await eventually(() => world.sink.received(path).length >= 6);
    await pause(1_500);
    expect(statusesAt(world.sink, path)).toEqual(["S1", "S2", "S3", "S4", "S5", "S6"]);
    await relay.stop();
  });
});
