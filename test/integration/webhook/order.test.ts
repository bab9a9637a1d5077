import { createHash, randomUUID } from "node:crypto";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startWebhook } from "../../../services/webhook/app";
import { deliveryOf } from "../../../services/webhook/domain/delivery";
import { makeDeliveryStore } from "../../../services/webhook/store/delivery-store";
import { makeQueueStore } from "../../../services/webhook/store/queue-store";
import { makeSubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { eventually } from "../bus/bus-testbed";
import { type Arrivals, type ArrivalsOptions, inSubscription, inTransaction, recordArrivals } from "./arrivals";
import { makeMovableClock, startWebhookWorld, type WebhookWorld } from "./webhook-world";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const transactions = 500 * factor;
const eventsEach = 4;
const total = transactions * eventsEach;
const tenant = "demo";
/** Longer than an endpoint is left alone for. */
const pauseMs = 31_000;
const plan = { delaysMs: [0, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50] };

/** A number from 0 to 99 that follows from the words. */
const chance = (...words: readonly unknown[]): number =>
  createHash("sha256").update(words.join("/")).digest().readUInt16BE() % 100;

type Manner = Pick<ArrivalsOptions, "statusOf" | "delayOf">;

const down: Manner = { statusOf: () => 503, delayOf: () => 0 };
/** Refuses one in twelve attempts. Some transactions take their time, so that many pages are read meanwhile. */
const unsteady: Manner = {
  statusOf: ({ body, headers }) => (chance(body, headers["x-service-delivery-attempt"]) < 8 ? 503 : 200),
  delayOf: ({ body }) => (chance((JSON.parse(body) as { transactionId: string }).transactionId) < 4 ? 300 : 1),
};

describe("deliveries of which thousands wait", () => {
  let world: WebhookWorld;
  let replicas: Running[] = [];
  const clock = makeMovableClock();

  afterEach(async () => {
    for (const replica of replicas) await replica.stop();
    await world.stop();
  });

  /** Endpoints with all first events, then all second ones and so on: each transaction is on pages that lie far apart. */
  const fill = async (ids: readonly string[]): Promise<void> => {
    const { connection, transact } = world.mongo;
    const [deliveries, queues] = [makeDeliveryStore(connection), makeQueueStore(connection)];
    const subscriptions = await makeSubscriptionStore(connection).list(tenant);
    const subjects = Array.from({ length: transactions }, () => ({ tenant, id: randomUUID() }));
    const at = clock.now();
    for (let sequence = 1; sequence <= eventsEach; sequence += 1) {
      const made = subjects.flatMap((subject, index) => {
        const fields = `"transactionId":"${subject.id}","place":${sequence}}`;
        const event = {
          id: `${subject.id}-${sequence}`,
          subject,
          sequence,
          position: (sequence - 1) * transactions + index + 1,
          occurredAt: at,
          traceparent: undefined,
          notification: { name: "TransactionStatusChanged", fields } as const,
        };
        return subscriptions.flatMap((subscription) => deliveryOf(event, subscription, at) ?? []);
      });
      await transact((tx) => deliveries.add(tx, made));
    }
    await transact((tx) => queues.touch(tx, new Map(ids.map((id) => [id, at]))));
  };

  /** An endpoint that is unsteady, and does not work at all between two thirds of its deliveries. */
  const open = (path: string, placeOf: ArrivalsOptions["placeOf"], outageAt: number): Arrivals => {
    let refusals = 0;
    const manner = (): Manner => {
      const isDown = arrivals.accepted.size >= outageAt && refusals < 12;
      if (isDown) refusals += 1;
      return isDown ? down : unsteady;
    };
    const arrivals = recordArrivals({
      placeOf,
      statusOf: (received) => manner().statusOf(received),
      delayOf: (received) => (path === "/batch" ? chance(received.body) : unsteady.delayOf(received)),
    });
    world.sink.respond(path, arrivals.respond);
    return arrivals;
  };

  it.each([1, 2])(
    "go out in the order of their lanes with %i replicas, from endpoints that fail and recover",
    async (count) => {
      world = await startWebhookWorld({ clock, plan });
      replicas = [];
      const ids = [await world.subscribe("/single"), await world.subscribe("/batch", tenant, undefined, true)];
      await world.stopService();
      await fill(ids);
      const [single, batch] = [open("/single", inTransaction, total / 2), open("/batch", inSubscription, total / 150)];
      for (let replica = 0; replica < count; replica += 1)
        replicas.push(await startWebhook(world.config, { clock, plan }));

      const deliveries = world.mongo.connection.collection("deliveries");
      await eventually(
        async () => {
          const isPaused = await world.mongo.connection
            .collection("subscriptions")
            .findOne({ pausedUntil: { $gt: clock.now() }, tenant });
          if (isPaused !== null) clock.advance(pauseMs);
          return single.accepted.size >= total && (await deliveries.countDocuments({ state: "pending" })) === 0;
        },
        280_000 * factor,
        100,
      );

      expect(single.accepted.size).toBe(total);
      expect([...single.overtakings(), ...batch.overtakings()]).toEqual([]);
      expect([...single.repeated(), ...batch.repeated()]).toEqual([]);
    },
    300_000 * factor,
  );
});
