import { plusMs } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { testDelivery } from "../../../services/webhook/domain/delivery";
import { dispatchOf } from "../../../services/webhook/domain/dispatch";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { makeEndpointSlots } from "../../../services/webhook/operations/endpoint-slots";
import { makeMakeAttempt } from "../../../services/webhook/operations/make-attempt";
import { makeSubscriptionStore, type SubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { startTestStore, type TestStore } from "../../support/testbed";

const now = new Date("2026-03-01T12:00:00Z");

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

  it("is tried with one attempt, however many would make it at once", async () => {
    const subscription: Subscription = {
      id: systemIds.uuid(),
      tenant: "demo",
      url: "https://example.com/",
      events: ["TransactionStatusChanged"],
      isBatch: false,
      createdAt: now,
      secret: undefined,
      disabled: undefined,
      health: healthy,
    };
    await subscriptions.add(subscription);
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
    const delivery = { ...testDelivery(subscription, systemIds.uuid(), now), isTest: false };

    const left = await Promise.all(Array.from({ length: 8 }, () => makeAttempt(dispatchOf([delivery]), () => true)));

    expect(tries).toBe(1);
    expect(left.filter(({ kind }) => kind === "paused")).toHaveLength(7);
  });
});
