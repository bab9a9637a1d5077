import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-testbed";
import { openThreeEndpoints, type ThreeEndpoints } from "./three-endpoints";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
/** 20,000 events to each of three endpoints in the long run. */
const transactions = factor === 1 ? 40 : 200 * factor;
const eventsEach = 10;
const total = transactions * eventsEach;
/** For this long nothing may come to any endpoint while something is due: the pauses before attempts are far shorter. */
const stalledMs = 180_000;
/** A machine that does much else takes its time; the test ends by what happened, and not by this. */
const longestMs = 600_000 * Math.max(1, factor);
/** Longer than a message waits for a word of its process, and a queue for one of its worker. */
const stillMs = 12_000;

describe("two replicas", () => {
  let world: WebhookWorld;
  let replicas: readonly [WebhookProcess, WebhookProcess];
  let endpoints: ThreeEndpoints;
  const busyLoops: ChildProcess[] = [];

  beforeEach(async () => {
    world = await startWebhookWorld();
    endpoints = await openThreeEndpoints(world, total);
    await world.stopService();
    replicas = [await makeWebhookProcess(world), await makeWebhookProcess(world)];
    await Promise.all(replicas.map((replica) => replica.start()));
  });
  afterEach(async () => {
    for (const loop of busyLoops.splice(0)) loop.kill("SIGKILL");
    for (const replica of replicas) await replica.stop();
    await world.stop();
  });

  const publishAll = async (): Promise<void> => {
    const ids = Array.from({ length: transactions }, () => randomUUID());
    for (let sequence = 1; sequence <= eventsEach; sequence += 1) {
      for (let from = 0; from < ids.length; from += 64)
        await Promise.all(ids.slice(from, from + 64).map((id) => world.publish(statusEvents(id, sequence, sequence))));
    }
  };
  /** Everything was acknowledged and nothing waits. */
  const isOver = async (): Promise<boolean> => {
    if (!endpoints.haveAll()) return false;
    const { manager } = await world.bus.client();
    const { num_pending, num_ack_pending } = await manager.consumers.info("CORRIDOR_PAYMENT", "webhook");
    const left = await world.mongo.connection.collection("deliveries").countDocuments({ state: "pending" });
    return num_pending + num_ack_pending + left === 0;
  };
  const halfway = (): Promise<void> => eventually(() => endpoints.count() > total / 4, longestMs);
  /** Waits until it is over, for as long as something still comes. */
  const untilOver = async (): Promise<void> => {
    let [seen, movedMs] = ["", performance.now()];
    await eventually(
      async () => {
        if (endpoints.progress() !== seen) [seen, movedMs] = [endpoints.progress(), performance.now()];
        if (performance.now() - movedMs > stalledMs) throw new Error(`of ${total} to each nothing more came: ${seen}`);
        return await isOver();
      },
      longestMs,
      500,
    );
  };

  it(
    "deliver each event once and in order, however busy the machine is, whatever endpoints do",
    async () => {
      for (let loop = 0; loop < 2; loop += 1) {
        // Nothing outlives the test, however that ends.
        const source = `const end = Date.now() + ${longestMs}; while (Date.now() < end && process.ppid === ${process.pid});`;
        busyLoops.push(spawn(process.execPath, ["-e", source], { stdio: "ignore" }));
      }
      await publishAll();

      await untilOver();

      // Asked first, for it tells the cause: an attempt made twice is our fault, another attempt follows a late answer.
      expect(endpoints.repeatedAttempts()).toEqual([]);
      expect(endpoints.repeated()).toEqual([]);
      expect(endpoints.overtakings()).toEqual([]);
      expect(endpoints.altered()).toEqual([]);
    },
    longestMs + 60_000,
  );

  it(
    "repeat at most what one of them had in hand when it stood still for too long, under the same ids and byte for byte",
    async () => {
      const publishing = publishAll();
      await halfway();
      const [still] = replicas;
      still.freeze();
      await new Promise((resolve) => setTimeout(resolve, stillMs));
      still.thaw();
      await publishing;

      await untilOver();

      expect(endpoints.overtakings()).toEqual([]);
      expect(endpoints.altered()).toEqual([]);
    },
    longestMs + 60_000,
  );

  it(
    "keep the order when one of them is killed, and the other repeats what that had in hand, byte for byte",
    async () => {
      const publishing = publishAll();
      await halfway();
      const [killed] = replicas;
      await killed.kill();
      await publishing;

      await untilOver();

      expect(endpoints.overtakings()).toEqual([]);
      expect(endpoints.altered()).toEqual([]);
    },
    longestMs + 60_000,
  );
});
