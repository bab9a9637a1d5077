import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { type Delivery, deliveryOf } from "../../../services/webhook/domain/delivery";
import { eventNames } from "../../../services/webhook/domain/event-names";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { makeChangeStore } from "../../../services/webhook/store/change-store";
import { makeDeliveryStore } from "../../../services/webhook/store/delivery-store";
import { makeEventStore } from "../../../services/webhook/store/event-store";
import { makeQueueStore } from "../../../services/webhook/store/queue-store";
import { makeSubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { startTestStore, type TestStore } from "../../support/ground";
import { expectMissingIndexToFail } from "../../support/missing-index";

/** More than a store that refuses long scans lets anybody look through. */
const many = 1_100;
const at = new Date();
const name = "TransactionStatusChanged";
const subscription = (id: string, tenant: string): Subscription => ({
  id,
  tenant,
  url: "https://example.com",
  events: [name],
  isBatch: false,
  createdAt: at,
  secret: undefined,
  disabled: undefined,
  health: healthy,
});
const event = (position: number) => ({
  id: systemIds.uuid(),
  subject: { tenant: "demo", id: `subject-${position}` },
  sequence: 1,
  position,
  occurredAt: at,
  traceparent: undefined,
  telling: { name, fields: '"a":1}' } as const,
});

describe("every query of the webhook service has an index", () => {
  let store: TestStore;
  let mongo: Mongo;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("webhook-indexes");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it("on a store that refuses those without", async () => {
    await expectMissingIndexToFail(store.mongoUri);
  });

  it("for deliveries", async () => {
    const deliveries = makeDeliveryStore(mongo.connection);
    await deliveries.init();
    const made = Array.from({ length: many }, (_, index) =>
      deliveryOf(event(index + 1), subscription("s", "demo"), at),
    );
    const all = made.filter((delivery): delivery is Delivery => delivery !== undefined);
    await mongo.transact((tx) => deliveries.add(tx, all));
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error("deliveries were made");

    await deliveries.makeBatch("b", [first.id, second.id]);
    expect(await deliveries.inBatch("b")).toHaveLength(2);
    expect(await deliveries.undelivered("s", 10)).toHaveLength(10);
    expect(await deliveries.movable("s", 5, at, 10)).toHaveLength(10);
    expect(await deliveries.nextPassed("s", at)).toBeUndefined();
    expect(await deliveries.oldestPending()).toEqual(at);
    const attempt = { number: 1, at, status: 500, durationMs: 1, failure: undefined };
    await deliveries.settle([{ ids: [first.id, second.id], next: { failures: 1, nextAttemptAt: at }, attempt }]);
    await mongo.transact((tx) => deliveries.requeue(tx, [{ ...first, batchId: "b" }], at));
    const place = { createdAt: at, id: first.id };
    for (const subscriptionId of ["s", undefined])
      for (const subjectId of [first.subjectId, undefined])
        for (const state of ["pending", "failed", "delivered", undefined] as const)
          for (const behind of [place, undefined]) {
            if (subscriptionId === undefined && subjectId === undefined) continue;
            await deliveries.list({ tenant: "demo", subscriptionId, subjectId, state }, behind, 10);
          }
    await deliveries.abandon("s", at, "all but tests");
    await deliveries.abandon("s", at, "all");
    expect(await deliveries.undelivered("s", 10)).toEqual([]);
  });

  it("for events", async () => {
    const events = makeEventStore(mongo.connection);
    await events.init();
    const added = await mongo.transact((tx) =>
      events.append(
        tx,
        Array.from({ length: many }, (_, index) => event(index + 1)),
        at,
      ),
    );

    expect(await events.page("demo", 5, 10)).toHaveLength(10);
    expect(await events.last("demo")).toBe(many);
    const span = { names: eventNames, since: at, until: new Date(at.getTime() + 1) };
    expect(await events.during("demo", span, undefined, 10)).toHaveLength(10);
    expect(await events.during("demo", span, added[9], 10)).toHaveLength(10);
  });

  it("for queues", async () => {
    const queues = makeQueueStore(mongo.connection);
    await queues.init();
    const ids = Array.from({ length: many }, (_, index) => `q-${index}`);
    const records = ids.map((_id) => ({ _id, version: 1, dueAt: at, leaseHolder: "", leaseUntil: new Date(0) }));
    await mongo.connection.collection<{ _id: string }>("queues").insertMany(records);
    await mongo.transact((tx) => queues.touch(tx, new Map([["q-1", at]])));

    const leaseUntil = new Date(at.getTime() + 5_000);
    const claimed = await queues.claim({ holder: "h", at, realAt: at, leaseUntil, limit: 10 });
    expect(claimed).toHaveLength(10);
    const [queue] = claimed;
    if (queue === undefined) throw new Error("queues were claimed");
    expect(await queues.opened(ids.slice(0, 3))).toHaveLength(3);
    expect(await queues.hold(queue, leaseUntil)).toBeDefined();
    expect(await queues.renew("h", [queue.id], leaseUntil)).toEqual([queue.id]);
    expect(await queues.reread(queue)).toBeDefined();
    await queues.hasten(queue.id, at);
    await queues.release("h");
  });

  it("for subscriptions and what became of them", async () => {
    const subscriptions = makeSubscriptionStore(mongo.connection);
    const changes = makeChangeStore(mongo.connection, systemClock);
    await Promise.all([subscriptions.init(), changes.init()]);
    await subscriptions.add(subscription("s-1", "t-1"));
    await subscriptions.add(subscription("s-2", "t-2"));
    const others = Array.from({ length: many }, (_, n) => ({
      _id: `o-${n}`,
      tenant: `o-${n}`,
      slot: 0,
      createdAt: at,
    }));
    await mongo.connection.collection<{ _id: string }>("subscriptions").insertMany(others);
    const told = Array.from({ length: many }, (_, n) => ({
      _id: `s:${n}`,
      subscriptionId: "s",
      sequence: n,
      at,
      publishedAt: null,
    }));
    await mongo.connection.collection<{ _id: string }>("subscription_changes").insertMany(told);

    expect(await subscriptions.list("t-1")).toHaveLength(1);
    expect(await subscriptions.enabledIn(["t-1", "t-2"])).toHaveLength(2);
    await subscriptions.failed("s-1", at);
    const outbox = changes.outbox("subject", () => Buffer.alloc(0));
    const page = await outbox.pending(10);
    expect(await outbox.pending(10, page.at(-1))).toHaveLength(10);
    await outbox.markPublished(page);
    let count = 0;
    for await (const _message of outbox.since(at)) count += 1;
    expect(count).toBe(many);
  });
});
