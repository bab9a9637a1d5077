import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-ground";
import { type Arrivals, eventIdOf, inTransaction, recordArrivals } from "./arrivals";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const transactions = 200 * factor;
const eventsEach = 10;
const total = transactions * eventsEach;
const path = "/once";
const longestMs = 240_000 * Math.max(1, factor);
/** Longer than a message waits for a word of its process, and a queue for one of its worker. */
const stillMs = 12_000;

describe("two replicas", () => {
  let world: WebhookWorld;
  let replicas: WebhookProcess[];
  let arrivals: Arrivals;
  const busyLoops: ChildProcess[] = [];

  beforeEach(async () => {
    world = await startWebhookWorld();
    await world.subscribe(path);
    await world.stopService();
    replicas = [await makeWebhookProcess(world), await makeWebhookProcess(world)];
    arrivals = recordArrivals({
      placeOf: inTransaction,
      statusOf: () => 200,
      // Now and then longer than an answer is waited for before its event is stored.
      delayOf: (received) =>
        Number(received.headers["x-service-sequence"]) % 7 === 0 && inOneOf(received.body) ? 1_500 : 2,
    });
    world.sink.respond(path, arrivals.respond);
  });
  afterEach(async () => {
    for (const loop of busyLoops.splice(0)) loop.kill("SIGKILL");
    for (const replica of replicas) await replica.stop();
    await world.stop();
  });

  /** True for one transaction in sixteen. */
  const inOneOf = (body: string): boolean =>
    (JSON.parse(body) as { transactionId: string }).transactionId.startsWith("a");
  const startReplicas = (): Promise<unknown> => Promise.all(replicas.map((replica) => replica.start()));
  const publishAll = async (): Promise<void> => {
    const ids = Array.from({ length: transactions }, () => randomUUID());
    for (let sequence = 1; sequence <= eventsEach; sequence += 1) {
      for (let from = 0; from < ids.length; from += 64)
        await Promise.all(ids.slice(from, from + 64).map((id) => world.publish(statusEvents(id, sequence, sequence))));
    }
  };
  /** Everything was acknowledged and nothing waits. */
  const isOver = async (): Promise<boolean> => {
    if (arrivals.accepted.size < total) return false;
    const { manager } = await world.bus.client();
    const { num_pending, num_ack_pending } = await manager.consumers.info("CORRIDOR_PAYMENT", "webhook");
    const left = await world.mongo.connection.collection("deliveries").countDocuments({ state: "pending" });
    return num_pending + num_ack_pending + left === 0;
  };

  it(
    "deliver each event once, however busy the machine is",
    async () => {
      for (let loop = 0; loop < 2; loop += 1) {
        const source = `const end = Date.now() + ${longestMs}; while (Date.now() < end);`;
        busyLoops.push(spawn(process.execPath, ["-e", source], { stdio: "ignore" }));
      }
      await startReplicas();
      await publishAll();

      await eventually(isOver, longestMs);

      expect(arrivals.repeated()).toEqual([]);
      expect(arrivals.overtakings()).toEqual([]);
      // An attempt that never arrived may have failed on a busy machine; none is made twice.
      const attempts = world.sink
        .received(path)
        .map((received) => `${eventIdOf(received)} ${received.headers["x-service-delivery-attempt"]}`);
      expect(attempts).toHaveLength(new Set(attempts).size);
    },
    longestMs + 60_000,
  );

  it(
    "repeat at most what one of them had in hand when it stood still for too long, under the same ids and byte for byte",
    async () => {
      await startReplicas();
      const [still] = replicas;
      const publishing = publishAll();
      await eventually(() => arrivals.accepted.size > total / 4, longestMs);
      still?.freeze();
      await new Promise((resolve) => setTimeout(resolve, stillMs));
      still?.thaw();
      await publishing;

      await eventually(isOver, longestMs);

      expect(arrivals.overtakings()).toEqual([]);
      const byEvent = Map.groupBy(world.sink.received(path), eventIdOf);
      expect(byEvent.size).toBe(total);
      for (const [, same] of byEvent) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
    },
    longestMs + 60_000,
  );
});
