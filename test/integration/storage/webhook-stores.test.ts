import { randomUUID } from "node:crypto";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { healthy, maxSubscriptions, type Subscription } from "../../../services/webhook/domain/subscription";
import { type EventStore, makeEventStore } from "../../../services/webhook/store/event-store";
import { makeQueueStore, type Queue, type QueueStore } from "../../../services/webhook/store/queue-store";
import { makeSubscriptionStore, type SubscriptionStore } from "../../../services/webhook/store/subscription-store";
import { startTestStore, type TestStore } from "../../support/testbed";

// The store forgets events that are thirty days old.
const begin = Date.now();
const at = (seconds: number): Date => new Date(begin + seconds * 1_000);
const secret = { sealed: "sealed", sealedSeed: "seed", publicKey: "whpk_", fingerprint: "f", rotatedAt: at(1) };

describe("the stores of webhooks", () => {
  let store: TestStore;
  let mongo: Mongo;
  let queues: QueueStore;
  let subscriptions: SubscriptionStore;
  let events: EventStore;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("webhook-stores");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    queues = makeQueueStore(mongo.connection);
    subscriptions = makeSubscriptionStore(mongo.connection);
    events = makeEventStore(mongo.connection, mongo.transact);
    await Promise.all([queues.init(), subscriptions.init(), events.init()]);
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  /** A queue in the hands of `one` until the tenth second. */
  const heldQueue = async (): Promise<Queue> => {
    const id = randomUUID();
    const lease = { holder: "one", leaseUntil: at(10) };
    await mongo.transact((tx) => queues.touch(tx, new Map([[id, at(1)]]), lease));
    const held = await queues.hold({ id, holder: "one" }, at(10));
    if (held === undefined) throw new Error("the queue was opened for its holder");
    return held;
  };
  const added = async (tenant = randomUUID()): Promise<Subscription> => {
    const subscription: Subscription = {
      id: randomUUID(),
      tenant,
      url: "https://example.com/",
      events: ["TransactionStatusChanged"],
      isBatch: false,
      createdAt: at(1),
      secret: undefined,
      disabled: undefined,
      health: healthy,
    };
    if (!(await subscriptions.add(subscription))) throw new Error("no place is free");
    return subscription;
  };

  it("keep and show a queue for its holder alone", async () => {
    const queue = await heldQueue();
    const other = { ...queue, holder: "two" };

    expect(await queues.hold(other, at(99))).toBeUndefined();
    expect(await queues.renew("two", [queue.id], at(99))).toEqual([]);
    expect(await queues.reread(other)).toBeUndefined();
    expect(await queues.reread(queue)).toEqual(queue);
    expect(await queues.renew("one", [queue.id], at(20))).toEqual([queue.id]);
  });

  it("give a queue to another holder when its lease is over, and not before", async () => {
    const { id } = await heldQueue();
    const claim = async (seconds: number) => {
      const lease = { holder: "two", at: at(seconds), realAt: at(seconds), leaseUntil: at(seconds + 5) };
      return (await queues.claim({ ...lease, limit: 99 })).map((queue) => queue.id);
    };

    expect(await claim(9)).not.toContain(id);
    expect(await claim(10)).toContain(id);
    expect(await queues.hold({ id, holder: "one" }, at(99))).toBeUndefined();
  });

  it("tell when a queue is due and when the first lease ends, whoever holds it", async () => {
    const queue = await heldQueue();

    expect(await queues.upcoming(at(0))).toEqual({ dueAt: at(1), freeAt: at(10) });
    expect(await queues.postpone(queue, at(5))).toBe(true);
    const { dueAt, freeAt } = await queues.upcoming(at(1));
    expect(dueAt).toEqual(at(5));
    expect(freeAt).not.toEqual(at(10));
  });

  it("close and postpone a queue only if nothing came to it since it was read", async () => {
    const queue = await heldQueue();
    await mongo.transact((tx) => queues.touch(tx, new Map([[queue.id, at(2)]])));

    expect(await queues.close(queue)).toBe(false);
    expect(await queues.postpone(queue, at(50))).toBe(false);
    const now = await queues.reread(queue);
    expect(now !== undefined && (await queues.close(now))).toBe(true);
    expect(await queues.opened([queue.id])).toEqual([]);
  });

  it("know, change and remove a subscription for its own tenant alone", async () => {
    const { id, tenant } = await added();

    expect(await subscriptions.find("other", id)).toBeUndefined();
    expect(await subscriptions.setSecret("other", id, secret)).toBe(false);
    expect(await subscriptions.remove("other", id)).toBe(false);
    expect(await subscriptions.find(tenant, id)).toMatchObject({ id, secret: undefined });
    expect(await subscriptions.setSecret(tenant, id, secret)).toBe(true);
    expect(await subscriptions.remove(tenant, id)).toBe(true);
  });

  it("have sixteen places for a tenant", async () => {
    const tenant = randomUUID();
    for (let place = 0; place < maxSubscriptions; place += 1) await added(tenant);

    await expect(added(tenant)).rejects.toThrow("no place is free");
    expect(await subscriptions.list(tenant)).toHaveLength(maxSubscriptions);
  });

  it("place a tenant's events without gaps, in the order given, and read them so", async () => {
    const tenant = randomUUID();
    const fresh = Array.from({ length: 3 }, (_, index) => ({
      id: randomUUID(),
      subject: { tenant, id: "p" },
      sequence: index + 1,
      occurredAt: at(1),
      traceparent: undefined,
      notification: { name: "TransactionStatusChanged", fields: "}" } as const,
    }));
    const store = (event: (typeof fresh)[number], position: number) => {
      const page = { tenant, events: [{ ...event, position }], handled: new Map([["S/p", event.sequence]]), at: at(1) };
      return mongo.transact((tx) => events.add(tx, page));
    };
    for (const [index, event] of fresh.entries()) await store(event, index + 1);
    const [first] = fresh;
    if (first === undefined) throw new Error("there are three");

    // A position is given once, and so is an event a place.
    await expect(store({ ...first, id: randomUUID() }, 2)).rejects.toThrow("E11000");
    await expect(store(first, 4)).rejects.toThrow("E11000");

    const page = await events.page(tenant, 0, 9);

    expect(page.map(({ id, position }) => ({ id, position }))).toEqual(
      fresh.map(({ id }, index) => ({ id, position: index + 1 })),
    );
    expect(await events.page("other", 0, 9)).toEqual([]);
    expect((await events.page(tenant, 2, 9)).map(({ position }) => position)).toEqual([3]);
  });
});
