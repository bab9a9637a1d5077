import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { afterFirstAttempt } from "../../../services/webhook/domain/attempt-outcome";
import { type Delivery, deliveryOf, newestFirst } from "../../../services/webhook/domain/delivery";
import { eventNames } from "../../../services/webhook/domain/event-names";
import { handledKey } from "../../../services/webhook/domain/handled";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { makeChangeStore } from "../../../services/webhook/store/change-store";
import { makeDeliveryStore } from "../../../services/webhook/store/delivery-store";
import { makeEventStore } from "../../../services/webhook/store/event-store";
import { makeHandledStore } from "../../../services/webhook/store/handled-store";
import { makeQueueStore } from "../../../services/webhook/store/queue-store";
import { makeSubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { expectMissingIndexToFail } from "../../support/missing-index";
import { startTestStore, type TestStore } from "../../support/testbed";

/** More than a store that refuses long scans lets a query look through. */
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
  notification: { name, fields: '"a":1}' } as const,
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
    expect(await deliveries.waiting("s", 10)).toEqual({ count: 10, oldestAt: at });
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

  it("for deliveries that were delivered at once", async () => {
    const deliveries = makeDeliveryStore(mongo.connection);
    const attempt = { number: 1, at, status: 200, durationMs: 1, failure: undefined };
    const all = Array.from({ length: many }, (_, index) => {
      const made = deliveryOf(event(index + 1), subscription("l", "demo"), new Date(at.getTime() + (index >> 3)));
      if (made === undefined) throw new Error("deliveries were made");
      return afterFirstAttempt(made, { kind: "delivered" }, attempt);
    });
    for (const group of Object.values(Object.groupBy(all, ({ createdAt }) => createdAt.getTime())))
      await mongo.transact((tx) => deliveries.add(tx, group ?? []));
    const newest = all.toSorted(newestFirst);
    const filter = { tenant: "demo", subscriptionId: "l", subjectId: undefined, state: undefined };
    const idsOf = (list: readonly Delivery[]) => list.map(({ id }) => id);

    const walked: string[] = [];
    for (let behind: Delivery | undefined; walked.length < many; ) {
      const page = await deliveries.list(filter, behind, 90);
      walked.push(...idsOf(page));
      behind = page.at(-1);
    }
    expect(walked).toEqual(idsOf(newest));
    expect(await deliveries.list({ ...filter, state: "pending" }, undefined, 10)).toEqual([]);
    const [first] = all;
    if (first === undefined) throw new Error("deliveries were made");
    const { id, subjectId } = first;
    expect(idsOf(await deliveries.list({ ...filter, subscriptionId: undefined, subjectId }, undefined, 10))).toContain(
      id,
    );
    expect(await deliveries.find("demo", "l", id)).toMatchObject({ ...first, nextAttemptAt: first.createdAt });
    expect(await deliveries.find("other", "l", id)).toBeUndefined();
    expect(await deliveries.findLogged("all tenants", id)).toMatchObject({ id });
    expect(idsOf(await mongo.transact((tx) => deliveries.findIn(tx, [id])))).toEqual([id]);

    // What is sent once more is in one place, at the same place of the list.
    for (let time = 0; time < 2; time += 1) await mongo.transact((tx) => deliveries.requeue(tx, [first], at));
    expect(await deliveries.findLogged("all tenants", id)).toBeUndefined();
    expect(await deliveries.find("demo", "l", id)).toMatchObject({
      id,
      state: "pending",
      attempts: 1,
      body: first.body,
    });
    expect(idsOf(await deliveries.list(filter, undefined, many))).toEqual(idsOf(newest));
    expect(idsOf(await deliveries.list({ ...filter, state: "delivered" }, undefined, many))).not.toContain(id);
  });

  it("for events", async () => {
    const events = makeEventStore(mongo.connection, mongo.transact);
    await events.init();
    const all = Array.from({ length: many }, (_, index) => event(index + 1));
    await mongo.transact(async (tx) => {
      for (const one of all) {
        const handled = new Map([[handledKey({ stream: "S", subject: one.subject }), 1]]);
        await events.add(tx, { tenant: "demo", events: [one], handled, at });
      }
    });

    expect(await events.page("demo", 5, 10)).toEqual(all.slice(5, 15));
    expect(await events.last("demo")).toBe(many);
    const span = { names: eventNames, since: at, until: new Date(at.getTime() + 1) };
    const part = await events.during("demo", span, undefined, 10);
    const rest = await events.during("demo", span, part.next, many);
    expect([...part.events, ...rest.events]).toEqual(all);
    const { id = "", subject, occurredAt } = all[7] ?? {};
    expect(await events.find({ tenant: "demo" }, id)).toEqual({ id, subject, occurredAt });
    const handled = makeHandledStore(mongo.connection, systemClock);
    const messages: Parameters<typeof handled.latest>[0] = [
      {
        stream: "S",
        subject: { tenant: "demo", id: "subject-9" },
        events: [{ ...event(1), sequence: 2 }],
        novelty: "repeat",
      },
    ];
    expect((await handled.latest(messages)).get("S/subject-9")).toBe(1);
    const later = new Date(at.getTime() + 30 * 24 * 60 * 60 * 1_000);
    expect(await events.retire(at, 10)).toEqual(later);
    expect(await events.retire(later, 10)).toEqual(later);
    expect((await events.page("demo", 0, 1)).map(({ position }) => position)).toEqual([11]);
    expect((await handled.latest(messages)).get("S/subject-9")).toBe(1);
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
    expect(await queues.list(10)).toHaveLength(10);
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
    expect(await subscriptions.ofTenants(["t-1", "t-2"])).toHaveLength(2);
    expect([...(await subscriptions.findEach(["s-1", "s-2", "s-3"])).keys()].toSorted()).toEqual(["s-1", "s-2"]);
    await subscriptions.failed({ id: "s-1", tenant: "t-1" }, at);
    const outbox = changes.outbox("subject", () => Buffer.alloc(0));
    const page = await outbox.pending(10);
    expect(await outbox.pending(10, page.at(-1))).toHaveLength(10);
    await outbox.markPublished(page);
    let count = 0;
    for await (const _message of outbox.since(at)) count += 1;
    expect(count).toBe(many);
  });
});
