import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { startWebhook } from "../../../services/webhook/app";
import { makeEventStore } from "../../../services/webhook/store/event-store";
import { eventually } from "../bus/bus-testbed";
import { startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

describe("the event feed", () => {
  let world: WebhookWorld;
  let tenant: string;

  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(async () => {
    await world.stop();
  });
  beforeEach(() => {
    tenant = `t-${randomUUID().slice(0, 8)}`;
  });

  const page = async (after: number | undefined, limit = 200, of = tenant) => {
    const { events } = await world.webhook.listEvents({
      tenant: of,
      after: after === undefined ? undefined : BigInt(after),
      fromNewest: false,
      eventNames: [],
      limit,
    });
    return events.map(({ position, ...event }) => ({ ...event, position: Number(position) }));
  };

  it("has every event once, in one order without gaps, while two replicas write and a reader reads", async () => {
    const second = await startWebhook(world.config);
    const ids = Array.from({ length: 60 }, () => randomUUID());
    const total = ids.length * 6;
    const read: { position: number; eventId: string }[] = [];
    const reading = eventually(async () => {
      read.push(...(await page(read.at(-1)?.position ?? 0, 7)));
      return read.length >= total;
    });

    await Promise.all(
      ids.map(async (id) => {
        await world.publish(statusEvents(id, 1, 3, tenant));
        await world.publish(statusEvents(id, 4, 6, tenant));
      }),
    );
    await reading;

    expect(read.map(({ position }) => position)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(new Set(read.map(({ eventId }) => eventId)).size).toBe(total);
    for (const id of ids) {
      const own = read.filter(({ eventId }) => eventId.startsWith(id)).map(({ eventId }) => eventId);
      expect(own).toEqual([1, 2, 3, 4, 5, 6].map((sequence) => `${id}-${sequence}`));
    }
    await second.stop();
  });

  it("stores together what comes together, and gives pages of any size of it", async () => {
    const count = 60;
    await Promise.all(Array.from({ length: count }, () => world.publish(statusEvents(randomUUID(), 1, 2, tenant))));
    await eventually(async () => (await page(undefined)).length === 2 * count);
    const pages = world.mongo.connection.collection<{ tenant: string; last: number }>("feed_pages");

    expect(await pages.countDocuments({ tenant, last: { $gt: 0 } })).toBeLessThan(count);
    for (const limit of [1, 7, 200]) {
      const read: number[] = [];
      while (read.length < 2 * count)
        read.push(...(await page(read.at(-1) ?? 0, limit)).map(({ position }) => position));
      expect(read).toEqual(Array.from({ length: 2 * count }, (_, index) => index + 1));
    }
  });

  it("shows each tenant its own events, under the names of the specification", async () => {
    const id = randomUUID();
    await world.publish(statusEvents(id, 1, 1, tenant));
    await eventually(async () => (await page(undefined)).length === 1);

    const [event] = await page(undefined);

    expect(event).toMatchObject({ position: 1, eventId: `${id}-1`, sequence: 1 });
    expect(event?.body).toContain(`{"event":"TransactionStatusChanged","transactionId":"${id}",`);
    expect(await page(undefined, 200, "nobody")).toEqual([]);
  });

  /** Has the tenant's events up to a position be as old as they may become, and removed. */
  const forget = async (last: number): Promise<void> => {
    const { connection, transact } = world.mongo;
    const createdAt = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000);
    const pages = connection.collection<{ tenant: string; last: number; createdAt: Date }>("feed_pages");
    await pages.updateMany({ tenant, last: { $lte: last } }, { $set: { createdAt } });
    await makeEventStore(connection, transact).retire(new Date(), 100);
  };

  it("tells a reader who lost something, rather than leaving it out", async () => {
    const id = randomUUID();
    for (const [from, to] of [
      [1, 2],
      [3, 5],
    ] as const) {
      await world.publish(statusEvents(id, from, to, tenant));
      await eventually(async () => (await page(undefined)).length === to);
    }
    const refused = { reason: "INVALID_ARGUMENT", violations: [{ field: "after" }] };

    // What is done when the retention of these is over.
    await forget(2);

    await expect(page(0)).rejects.toMatchObject(refused);
    await expect(page(1)).rejects.toMatchObject(refused);
    expect((await page(2)).map(({ position }) => position)).toEqual([3, 4, 5]);
    expect((await page(undefined)).map(({ position }) => position)).toEqual([3, 4, 5]);
    expect(await page(5)).toEqual([]);
    await expect(page(6)).rejects.toMatchObject(refused);
    await forget(5);
    await expect(page(4)).rejects.toMatchObject(refused);
    expect(await page(5)).toEqual([]);
    // A caller that comes now begins behind what is gone.
    const begun = await world.webhook.listEvents({
      tenant,
      after: undefined,
      fromNewest: false,
      limit: 1,
      eventNames: [],
    });
    expect(begun).toEqual({ events: [], next: 5n });
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(async () => (await page(5)).length === 1);
    expect(
      (await world.webhook.listEvents({ tenant, after: begun.next, fromNewest: false, limit: 1, eventNames: [] })).next,
    ).toBe(6n);
  });

  it("takes what was removed for handled, and goes on behind it", async () => {
    const id = randomUUID();
    const at = new Date(Date.now() - 40 * 24 * 60 * 60 * 1_000);
    await world.publish(statusEvents(id, 1, 2, tenant, at));
    await eventually(async () => (await page(undefined)).length === 2);
    await forget(2);
    // Another process knows of them what is stored alone.
    await world.stopService();
    await world.startService();

    await world.publish(statusEvents(id, 1, 2, tenant, at));
    await world.publish(statusEvents(id, 2, 3, tenant));
    await eventually(async () => (await page(undefined)).length === 1);

    expect((await page(2)).map(({ eventId, position }) => [eventId, position])).toEqual([[`${id}-3`, 3]]);
  });

  it("keeps events and deliveries for thirty days, and no longer", async () => {
    const minute = 60_000;
    const thirtyDays = 30 * 24 * 60 * minute;
    const kept = (name: string): Promise<number> =>
      world.mongo.connection.collection(name).countDocuments({ tenant }, { hint: { $natural: 1 } });
    await world.subscribe(`/${tenant}`, tenant);
    for (const age of [thirtyDays - 60 * minute, thirtyDays + minute]) {
      await world.stopService();
      await world.startService({ clock: { now: () => new Date(Date.now() - age) } });
      const count = world.sink.received(`/${tenant}`).length;
      await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
      await eventually(() => world.sink.received(`/${tenant}`).length > count);
    }

    const feeds = world.mongo.connection.collection<{ _id: string; last: number }>("feeds");
    await eventually(async () => (await feeds.findOne({ _id: tenant }))?.last === 2, 100_000);
    for (const name of ["feed_pages", "delivery_logs"]) await eventually(async () => (await kept(name)) === 1, 100_000);
    const { events, next } = await world.webhook.listEvents({
      tenant,
      after: undefined,
      fromNewest: false,
      limit: 9,
      eventNames: [],
    });
    expect([events.map(({ position }) => position), next]).toEqual([[1n], 1n]);
    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
    const request = { tenant, subscriptionId: subscriptions[0]?.id, subjectId: undefined, after: "", limit: 9 };
    const { deliveries } = await world.webhook.listDeliveries({ ...request, state: DeliveryState.UNSPECIFIED });
    expect(deliveries.map(({ eventId }) => eventId)).toEqual([events[0]?.eventId]);
  }, 240_000);
});
