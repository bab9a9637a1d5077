import { randomUUID } from "node:crypto";
import type { Novelty } from "../../../services/shared/bus/novelty";
import { systemClock } from "../../../services/shared/kernel/clock";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { deliveryOf } from "../../../services/webhook/domain/delivery";
import { isNotified } from "../../../services/webhook/domain/event";
import type { SubjectEvents } from "../../../services/webhook/domain/handled";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { makeFanOutEvents } from "../../../services/webhook/operations/fan-out-events";
import { makeDeliveryStore } from "../../../services/webhook/store/delivery-store";
import { type EventStore, makeEventStore } from "../../../services/webhook/store/event-store";
import { type HandledStore, makeHandledStore } from "../../../services/webhook/store/handled-store";
import { makeQueueStore } from "../../../services/webhook/store/queue-store";
import { startTestStore, type TestStore } from "../../support/testbed";

const subscription: Subscription = {
  id: "s",
  tenant: "",
  url: "https://example.com/",
  events: ["TransactionStatusChanged"],
  isBatch: false,
  createdAt: new Date(),
  secret: undefined,
  disabled: undefined,
  health: healthy,
};

/** Events of a subject, from one sequence to another; of each its id. */
const messageOf = (tenant: string, id: string, from: number, to: number, fields = '"a":1}'): SubjectEvents => ({
  stream: "S",
  subject: { tenant, id },
  events: Array.from({ length: to - from + 1 }, (_, index) => ({
    id: `${id}-${from + index}`,
    sequence: from + index,
    occurredAt: new Date(),
    traceparent: undefined,
    notification: { name: "TransactionStatusChanged", fields },
  })),
});
const commandsOf = (messages: readonly SubjectEvents[]) =>
  messages.map((message) => ({ message: { ...message, novelty: "unknown" as const }, attempts: [] }));

describe("what comes together", () => {
  let store: TestStore;
  let mongo: Mongo;
  let tenant: string;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("pages");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    const events = makeEventStore(mongo.connection, mongo.transact);
    for (const one of [events, makeDeliveryStore(mongo.connection), makeQueueStore(mongo.connection)]) await one.init();
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });
  beforeEach(() => {
    tenant = randomUUID();
  });

  /** A replica that stores. */
  const openReplica = (
    handled = makeHandledStore(mongo.connection, systemClock),
    given: { subscriptions?: Subscription[]; events?: EventStore } = {},
  ) => {
    const { connection, transact } = mongo;
    const { events = makeEventStore(connection, transact) } = given;
    const fanOut = makeFanOutEvents({
      transact,
      handled,
      events,
      restores: [],
      known: {
        of: async ([of = ""]) => given.subscriptions ?? [{ ...subscription, tenant: of, id: `s-${of}` }],
      },
      deliveries: makeDeliveryStore(connection),
      queues: makeQueueStore(connection),
      clock: systemClock,
      holder: "h",
      noteGrown: () => {},
      handOver: () => {},
    });
    return { fanOut, events };
  };
  const storedIn = async (of: string) => {
    const events = await openReplica().events.page(of, 0, 1_000);
    expect(events.map(({ position }) => position)).toEqual(events.map((_event, index) => index + 1));
    return events.map(({ id }) => id);
  };
  const deliveriesIn = (of: string) =>
    mongo.connection.collection("deliveries").countDocuments({ subscriptionId: `s-${of}`, state: "pending" });

  it("is stored once, without gaps, when replicas have the same messages at the same time", async () => {
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const replicas = [openReplica(), openReplica(), openReplica()];
    for (const [from, to] of [
      [1, 2],
      [2, 5],
      [6, 6],
    ] as const) {
      const commands = commandsOf(ids.map((id) => messageOf(tenant, id, from, to)));
      const results = await Promise.all(replicas.map(({ fanOut }) => fanOut(commands)));
      expect(results.flat().filter((result) => "error" in result)).toEqual([]);
    }

    const stored = await storedIn(tenant);

    expect(stored.toSorted()).toEqual(ids.flatMap((id) => [1, 2, 3, 4, 5, 6].map((n) => `${id}-${n}`)).toSorted());
    for (const id of ids)
      expect(stored.filter((one) => one.startsWith(id))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `${id}-${n}`));
    expect(await deliveriesIn(tenant)).toBe(120);
  });

  it("fails for the message alone that can never be stored, and for the one with a gap before it", async () => {
    const [good, other, gap] = [randomUUID(), randomUUID(), randomUUID()];
    const { fanOut } = openReplica();
    await fanOut(commandsOf([messageOf(tenant, good, 1, 1)]));
    // Its event has the id of another's.
    const poisoned = { ...messageOf(tenant, good, 1, 1), subject: { tenant, id: randomUUID() } };
    const messages = [
      messageOf(tenant, good, 2, 3),
      poisoned,
      messageOf(tenant, gap, 3, 4),
      messageOf(tenant, other, 1, 1),
    ];

    const results = await fanOut(commandsOf(messages));

    expect(results.map((result) => "error" in result)).toEqual([false, true, true, false]);
    expect(await storedIn(tenant)).toEqual([`${good}-1`, `${good}-2`, `${good}-3`, `${other}-1`]);
    expect(await deliveriesIn(tenant)).toBe(4);
  }, 60_000);

  it("is looked up but for subjects that begin, and what is stored of them all the same is dropped", async () => {
    const id = randomUUID();
    await openReplica().fanOut(commandsOf([messageOf(tenant, id, 1, 2)]));
    const message = messageOf(tenant, id, 1, 3);
    const lastFor = async (handled: HandledStore, novelty: Novelty) =>
      (await handled.latest([{ ...message, novelty }])).get(`S/${id}`);
    const handled = makeHandledStore(mongo.connection, systemClock);
    for (const novelty of ["unknown", "repeat"] as const)
      expect(await lastFor(makeHandledStore(mongo.connection, systemClock), novelty)).toBe(2);
    expect(await lastFor(handled, "first")).toBe(0);

    const { fanOut } = openReplica(handled);
    expect(await fanOut([{ message: { ...message, novelty: "first" }, attempts: [] }])).toEqual([{ value: undefined }]);

    expect(await storedIn(tenant)).toEqual([`${id}-1`, `${id}-2`, `${id}-3`]);
  });

  it("leaves a subject clear until one of its deliveries waits, or another replica has handled it", async () => {
    const handled = makeHandledStore(mongo.connection, systemClock);
    const id = randomUUID();
    const taken = (from: number, novelty: Novelty) => ({ ...messageOf(tenant, id, from, from), novelty });
    expect(handled.isClear(taken(1, "first"))).toBe(true);
    expect(handled.isClear(taken(1, "unknown"))).toBe(false);

    await handled.latest([taken(1, "first")]);
    handled.keep(new Map([[`S/${id}`, 1]]), new Set());
    expect([handled.isClear(taken(2, "unknown")), handled.isClear(taken(2, "repeat"))]).toEqual([true, false]);

    handled.keep(new Map([[`S/${id}`, 2]]), new Set([`S/${id}`]));
    handled.keep(new Map([[`S/${id}`, 3]]), new Set());
    expect(handled.isClear(taken(4, "unknown"))).toBe(false);
  });

  it("is not taken for what begins again when this process has handled it", async () => {
    const handled = makeHandledStore(mongo.connection, systemClock);
    const id = randomUUID();
    const first = { ...messageOf(tenant, id, 1, 1), novelty: "first" as const };
    await handled.latest([first]);
    handled.keep(new Map([[`S/${id}`, 2]]), new Set([`S/${id}`]));

    expect([...(await handled.latest([first])).values()]).toEqual([2]);
    expect(handled.isClear(first)).toBe(false);
    expect(handled.isClear({ ...messageOf(tenant, id, 3, 3), novelty: "unknown" })).toBe(false);
  });

  it("leaves a subject clear only while nobody lacks an event of it", async () => {
    const clearAfter = async (disabled: Subscription["disabled"], state: "delivered" | "failed" | undefined) => {
      const handled = makeHandledStore(mongo.connection, systemClock);
      const message = { ...messageOf(tenant, randomUUID(), 1, 1), novelty: "first" as const };
      const own = { ...subscription, tenant, id: `s-${tenant}`, disabled };
      const at = systemClock.now();
      const [event] = message.events;
      const told = event === undefined ? [] : [event].filter(isNotified);
      const tried = told.flatMap((one) => deliveryOf({ ...one, subject: message.subject, position: 0 }, own, at) ?? []);
      const attempt = { number: 1, at, status: 200, durationMs: 1, failure: undefined };
      const outcome = { kind: state === "failed" ? ("abandoned" as const) : ("delivered" as const) };
      const ended = { kind: "ended" as const, attempted: { outcome, attempt, isDisabled: false } };
      const attempts = tried.map((delivery) => ({ ...ended, subscription: own, delivery }));
      await handled.latest([message]);
      const { fanOut } = openReplica(handled, { subscriptions: [own] });
      expect(await fanOut([{ message, attempts: state === undefined ? [] : attempts }])).toEqual([
        { value: undefined },
      ]);
      return handled.isClear({ ...messageOf(tenant, message.subject.id, 2, 2), novelty: "unknown" });
    };

    const at = systemClock.now();
    expect(await clearAfter(undefined, "delivered")).toBe(true);
    expect(await clearAfter(undefined, "failed")).toBe(false);
    expect(await clearAfter({ at, reason: "failing" }, undefined)).toBe(false);
  });

  it("is stored although the store shows late what another replica stored, since a message that fails is sent again", async () => {
    const { events } = openReplica();
    let refusals = 0;
    const late = {
      ...events,
      add: (...page: Parameters<typeof events.add>) => {
        refusals += 1;
        if (refusals > 6) return events.add(...page);
        throw Object.assign(new Error("taken"), { code: 11_000 });
      },
    };
    const { fanOut } = openReplica(undefined, { events: late });
    const id = randomUUID();

    expect(await fanOut(commandsOf([messageOf(tenant, id, 1, 1)]))).toEqual([{ value: undefined }]);

    expect(await storedIn(tenant)).toEqual([`${id}-1`]);
  });

  it("is stored for each tenant alone, and on several pages when it is much", async () => {
    const others = Array.from({ length: 3 }, () => randomUUID());
    const long = `"a":"${"x".repeat(300_000)}"}`;
    const messages = [tenant, ...others].flatMap((of) =>
      Array.from({ length: 5 }, () => messageOf(of, randomUUID(), 1, 1, of === tenant ? long : undefined)),
    );

    await openReplica().fanOut(commandsOf(messages));

    const pages = mongo.connection.collection<{ tenant: string; last: number }>("feed_pages");
    for (const of of [tenant, ...others]) {
      expect(await storedIn(of)).toHaveLength(5);
      expect(await pages.countDocuments({ tenant: of, last: { $gt: 0 } })).toBe(of === tenant ? 2 : 1);
    }
  });

  it("has nothing stored of it when its deliveries cannot be", async () => {
    const id = randomUUID();
    const [message] = [messageOf(tenant, id, 1, 1)];
    const { fanOut } = openReplica();
    const failing = makeFanOutEvents({
      ...{ transact: mongo.transact, handled: makeHandledStore(mongo.connection, systemClock) },
      events: openReplica().events,
      ...{ restores: [], known: { of: async () => [] } },
      deliveries: { add: () => Promise.reject(new Error("crash")) },
      ...{
        queues: makeQueueStore(mongo.connection),
        clock: systemClock,
        holder: "h",
        noteGrown: () => {},
        handOver: () => {},
      },
    });

    expect(await failing(commandsOf([message]))).toEqual([{ error: new Error("crash") }]);
    expect(await storedIn(tenant)).toEqual([]);
    await fanOut(commandsOf([message]));
    expect(await storedIn(tenant)).toEqual([`${id}-1`]);
  });
});
