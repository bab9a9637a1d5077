import { plusMs } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { type Delivery, testDelivery } from "../../../services/webhook/domain/delivery";
import { dispatchOf } from "../../../services/webhook/domain/dispatch";
import { onePlan } from "../../../services/webhook/domain/retry-plan";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { makeMakeOneAttempt } from "../../../services/webhook/operations/attempt";
import { makeEndpointSlots } from "../../../services/webhook/operations/endpoint-slots";
import { makeMakeAttempt } from "../../../services/webhook/operations/make-attempt";
import { makeSubscriptionStore, type SubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { startTestStore, type TestStore } from "../../support/testbed";

const now = new Date("2026-03-01T12:00:00Z");
/** A test's own delivery says nothing of the endpoint's health. */
const real = (delivery: Delivery): Delivery => ({ ...delivery, isTest: false });

describe("an endpoint whose pause is over", () => {
  let store: TestStore;
  let mongo: Mongo;
  let subscriptions: SubscriptionStore;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("trials");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    subscriptions = makeSubscriptionStore(mongo.connection);
    await subscriptions.init();
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const addFor = async (tenant: string): Promise<Subscription> => {
    const subscription: Subscription = {
      id: systemIds.uuid(),
      tenant,
      url: "https://example.com/",
      events: ["TransactionStatusChanged"],
      isBatch: false,
      createdAt: now,
      secret: undefined,
      disabled: undefined,
      health: healthy,
    };
    await subscriptions.add(subscription);
    return subscription;
  };
  const healthOf = async ({ tenant, id }: Subscription) => (await subscriptions.find(tenant, id))?.health;

  it("is open again after an attempt that succeeded, also when a failure before that paused it after that", async () => {
    const subscription = await addFor("late");
    // One attempt fails and another succeeds at once: their writes come between each other.
    await subscriptions.failed(subscription, now);
    await subscriptions.succeeded(subscription);
    await subscriptions.pause(subscription, plusMs(now, 30_000));

    expect(await healthOf(subscription)).toEqual(healthy);
  });

  it("is open after its one attempt, though no failure is known of it", async () => {
    const subscription = await addFor("unknown");
    await mongo.connection.collection("subscriptions").updateOne({ tenant: "unknown" }, { $set: { pausedUntil: now } });
    const paused = (await subscriptions.find("unknown", subscription.id)) ?? subscription;
    expect(paused.health).toMatchObject({ failures: 0, pausedUntil: now });
    const makeOneAttempt = makeMakeOneAttempt({
      subscriptions,
      switching: { disable: () => Promise.resolve(false) },
      queues: { hasten: () => Promise.resolve() },
      keysOf: () => undefined,
      send: () => Promise.resolve({ status: 200, durationMs: 1, failure: undefined, retryAfterMs: undefined }),
      plan: onePlan,
      random: () => 0.5,
      clock: { now: () => now },
      tracing: noTracing,
      metrics: { attempted: () => undefined, disabled: () => undefined },
    });

    const { outcome } = await makeOneAttempt(
      paused,
      dispatchOf([testDelivery(paused, systemIds.uuid(), now)].map(real)),
    );

    expect(outcome.kind).toBe("delivered");
    expect(await healthOf(subscription)).toEqual(healthy);
  });

  it("is tried with one attempt, however many would make it at once", async () => {
    const subscription = await addFor("demo");
    await subscriptions.failed(subscription, now);
    await subscriptions.pause(subscription, now);
    const [paused] = await subscriptions.list("demo");
    let tries = 0;
    // The clocks of replicas differ.
    let asked = 0;
    const clock = {
      now: () => {
        asked += 1;
        return plusMs(now, asked);
      },
    };
    const attempt = { number: 1, at: now, status: 500, durationMs: 1, failure: undefined };
    const makeAttempt = makeMakeAttempt({
      // All have read it before any of them begins.
      known: { find: async () => paused },
      subscriptions,
      deliveries: { inBatch: async () => [], makeBatch: async () => true },
      slots: makeEndpointSlots({ fewest: 8, most: 8, replicas: () => 1 }),
      makeOneAttempt: async () => {
        tries += 1;
        return { outcome: { kind: "abandoned" }, attempt, isDisabled: false };
      },
      remember: async () => ({ kind: "settled", waiting: [] }),
      clock,
      ids: systemIds,
    });
    const delivery = real(testDelivery(subscription, systemIds.uuid(), now));

    const left = await Promise.all(Array.from({ length: 8 }, () => makeAttempt(dispatchOf([delivery]), () => true)));

    expect(tries).toBe(1);
    expect(left.filter(({ kind }) => kind === "paused")).toHaveLength(7);
  });
});
