import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { eventually } from "../bus/bus-testbed";
import {
  makeStandingClock,
  startWebhookWorld,
  statusEvents,
  statusesAt,
  storedEvents,
  type WebhookWorld,
} from "./webhook-world";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("deliveries under management", () => {
  const clock = makeStandingClock();
  let world: WebhookWorld;
  let path: string;
  let tenant: string;

  beforeAll(async () => {
    world = await startWebhookWorld({ clock });
  });
  afterAll(async () => {
    await world.stop();
  });
  beforeEach(() => {
    path = `/${randomUUID()}`;
    tenant = `t-${randomUUID().slice(0, 8)}`;
  });

  const list = async (subscriptionId: string, state = DeliveryState.UNSPECIFIED) => {
    const request = { tenant, subscriptionId, subjectId: undefined, state, after: "", limit: 200 };
    return (await world.webhook.listDeliveries(request)).deliveries;
  };
  const answer = (status: number): void =>
    world.sink.respond(path, (_received, response) => response.writeHead(status).end());
  /** How many attempts are remembered. */
  const attempts = async (subscriptionId: string): Promise<number> =>
    (await list(subscriptionId)).reduce((sum, delivery) => sum + delivery.attempts, 0);
  const settled = (subscriptionId: string, state: DeliveryState, count: number): Promise<void> =>
    eventually(async () => (await list(subscriptionId, state)).length === count);

  it("lists newest first, page by page, and shows each with its body and attempts", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, id] of ids.entries()) {
      clock.advance(1_000);
      await world.publish(statusEvents(id, 1, 2, tenant));
      await settled(subscriptionId, DeliveryState.DELIVERED, 2 * (index + 1));
    }

    const pages: string[][] = [];
    let after = "";
    do {
      const request = {
        tenant,
        subscriptionId,
        subjectId: undefined,
        state: DeliveryState.UNSPECIFIED,
        after,
        limit: 4,
      };
      const page = await world.webhook.listDeliveries(request);
      pages.push(page.deliveries.map(({ id }) => id));
      after = page.next;
    } while (after !== "");

    expect(pages.map((page) => page.length)).toEqual([4, 2]);
    expect(new Set(pages.flat()).size).toBe(6);
    const [newest] = await list(subscriptionId);
    expect(newest).toMatchObject({
      event: "TransactionStatusChanged",
      subjectId: ids[2],
      attempts: 1,
      lastStatus: 200,
    });
    expect([newest?.body, newest?.log]).toEqual(["", []]);
    const { delivery } = await world.webhook.getDelivery({ tenant, subscriptionId, deliveryId: newest?.id ?? "" });
    expect(world.sink.received(path).map(({ body }) => body)).toContain(delivery?.body);
    expect(delivery?.log).toEqual([
      { number: 1, at: clock.now(), status: 200, durationMs: expect.any(Number), failure: "" },
    ]);
    const ofSubject = { tenant, subscriptionId: undefined, subjectId: ids[0], state: DeliveryState.UNSPECIFIED };
    const timeline = await world.webhook.listDeliveries({ ...ofSubject, after: "", limit: 10 });
    expect(timeline.deliveries.map(({ subjectId }) => subjectId)).toEqual([ids[0], ids[0]]);
  });

  it("answers another tenant and an unknown delivery as if there were nothing", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await settled(subscriptionId, DeliveryState.DELIVERED, 1);
    const [delivery] = await list(subscriptionId);
    const foreign = { tenant: "stranger", subscriptionId, deliveryId: delivery?.id ?? "" };
    const unknown = { tenant, subscriptionId, deliveryId: randomUUID() };
    const beside = { ...foreign, tenant, subscriptionId: await world.subscribe(`${path}/beside`, tenant) };
    const ownOfStranger = await world.subscribe(`${path}/stranger`, "stranger");
    const borrowed = { ...foreign, subscriptionId: ownOfStranger };
    const notFound = { reason: "WEBHOOK_NOT_FOUND" };
    const { webhook } = world;

    for (const target of [foreign, unknown, beside, borrowed]) {
      await expect(webhook.getDelivery(target)).rejects.toMatchObject(notFound);
      await expect(webhook.redeliver(target)).rejects.toMatchObject(notFound);
    }
    const since = new Date(0);
    await expect(webhook.recover({ ...foreign, since, until: undefined })).rejects.toMatchObject(notFound);
    await expect(webhook.sendTest(foreign)).rejects.toMatchObject(notFound);
    const all = { state: DeliveryState.UNSPECIFIED, after: "", limit: 10 };
    await expect(webhook.listDeliveries({ ...foreign, subjectId: undefined, ...all })).rejects.toMatchObject(notFound);
    const bySubject = { tenant: "stranger", subscriptionId: undefined, subjectId: delivery?.subjectId, ...all };
    expect((await webhook.listDeliveries(bySubject)).deliveries).toEqual([]);
  });

  it("redelivers what was delivered, with the same body and id and the next attempt number", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await settled(subscriptionId, DeliveryState.DELIVERED, 1);
    const [delivery] = await list(subscriptionId);

    const target = { tenant, subscriptionId, deliveryId: delivery?.id ?? "" };
    await world.webhook.redeliver(target);

    await eventually(() => world.sink.received(path).length === 2);
    const [first, second] = world.sink.received(path);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-service-event-id"]).toBe(first?.headers["x-service-event-id"]);
    expect(second?.headers["x-service-delivery-attempt"]).toBe("2");
    await settled(subscriptionId, DeliveryState.DELIVERED, 1);
  });

  it("gives up after the plan, and sends a failed delivery again with the whole plan before it", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    answer(500);
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await eventually(async () => (await attempts(subscriptionId)) === attempt);
      clock.advance(6 * minute);
    }
    await settled(subscriptionId, DeliveryState.FAILED, 1);
    const [delivery] = await list(subscriptionId);

    await world.webhook.redeliver({ tenant, subscriptionId, deliveryId: delivery?.id ?? "" });
    await eventually(async () => (await attempts(subscriptionId)) === 6);
    answer(200);
    clock.advance(6 * minute);

    await settled(subscriptionId, DeliveryState.DELIVERED, 1);
    expect(world.sink.received(path).map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
    ]);
  });

  it("disables an endpoint that is gone, says so, and recovers all that it missed", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    const [before, during] = [randomUUID(), randomUUID()];
    const [since, until] = [clock.now(), new Date(clock.now().getTime() + 2 * day)];
    answer(410);
    await world.publish(statusEvents(before, 1, 3, tenant, since));
    await settled(subscriptionId, DeliveryState.FAILED, 3);
    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
    expect(subscriptions[0]).toMatchObject({ disabledAt: clock.now(), disabledReason: "gone" });
    await world.publish(statusEvents(during, 1, 2, tenant, since));
    await eventually(
      async () =>
        (await world.webhook.listEvents({ tenant, after: undefined, fromNewest: false, limit: 9, eventNames: [] }))
          .events.length === 5,
    );
    answer(200);

    const done = await world.webhook.recover({ tenant, subscriptionId, since, until });

    expect(done).toEqual({ recovered: 5, isComplete: true });
    await settled(subscriptionId, DeliveryState.DELIVERED, 5);
    expect(statusesAt(world.sink, path, before).slice(1)).toEqual(["S1", "S2", "S3"]);
    expect(statusesAt(world.sink, path, during)).toEqual(["S1", "S2"]);
    const again = await world.webhook.recover({ tenant, subscriptionId, since, until });
    expect(again).toEqual({ recovered: 0, isComplete: true });
    const enabled = await world.webhook.listSubscriptions({ tenant });
    expect(enabled.subscriptions[0]?.disabledAt).toBeUndefined();
  });

  it("recovers more than it looks at together, in order, also what happened at the same moment", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    const [since, until] = [clock.now(), new Date(clock.now().getTime() + 2 * day)];
    const ids = Array.from({ length: 60 }, () => randomUUID());
    answer(410);
    await world.publish(statusEvents(ids[0] ?? "", 1, 10, tenant, since));
    await settled(subscriptionId, DeliveryState.FAILED, 10);
    for (const id of ids.slice(1)) await world.publish(statusEvents(id, 1, 10, tenant, since));
    await eventually(async () => (await storedEvents(world, tenant)) === 600);
    answer(200);

    expect(await world.webhook.recover({ tenant, subscriptionId, since, until })).toEqual({
      recovered: 600,
      isComplete: true,
    });

    await eventually(() => world.sink.received(path).length >= 601);
    for (const id of ids.slice(1)) {
      expect(statusesAt(world.sink, path, id)).toEqual(Array.from({ length: 10 }, (_, index) => `S${index + 1}`));
    }
  });

  it("recovers at once what waits for another attempt, with what waits behind it", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    const [since, until] = [new Date(clock.now().getTime() - day), new Date(clock.now().getTime() + day)];
    answer(500);
    await world.publish(statusEvents(randomUUID(), 1, 3, tenant, clock.now()));
    await eventually(async () => (await attempts(subscriptionId)) === 1);
    answer(200);

    const done = await world.webhook.recover({ tenant, subscriptionId, since, until });

    expect(done).toEqual({ recovered: 1, isComplete: true });
    await settled(subscriptionId, DeliveryState.DELIVERED, 3);
    expect(statusesAt(world.sink, path)).toEqual(["S1", "S1", "S2", "S3"]);
  });

  it("recovers only what happened in the span that is asked for", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    const span = { tenant, subscriptionId, since: clock.now(), until: new Date(clock.now().getTime() + minute) };
    answer(410);
    const happenedAt = [span.since, new Date(span.until.getTime() - 1), span.until];
    clock.advance(2 * minute);
    for (const at of happenedAt) await world.publish(statusEvents(randomUUID(), 1, 1, tenant, at));
    await eventually(
      async () =>
        (await world.webhook.listEvents({ tenant, after: undefined, fromNewest: false, limit: 9, eventNames: [] }))
          .events.length === 3,
    );
    answer(200);

    expect(await world.webhook.recover(span)).toEqual({ recovered: 2, isComplete: true });

    await settled(subscriptionId, DeliveryState.DELIVERED, 2);
    const before = { ...span, since: new Date(span.since.getTime() - minute), until: span.since };
    expect(await world.webhook.recover(before)).toEqual({ recovered: 0, isComplete: true });
  });

  it("disables an endpoint after five days without a success", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    answer(500);
    const fail = async (): Promise<void> => {
      const before = await attempts(subscriptionId);
      await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
      await eventually(async () => (await attempts(subscriptionId)) > before);
    };
    await fail();
    clock.advance(5 * day - minute);
    await fail();
    expect((await world.webhook.listSubscriptions({ tenant })).subscriptions[0]?.disabledReason).toBe("");
    clock.advance(minute);

    await eventually(async () => {
      const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
      return subscriptions[0]?.disabledReason === "failing";
    });
    await settled(subscriptionId, DeliveryState.PENDING, 0);

    await world.webhook.recover({ tenant, subscriptionId, since: clock.now(), until: undefined });
    await fail();
    // What failed before it was enabled no longer counts.
    expect((await world.webhook.listSubscriptions({ tenant })).subscriptions[0]?.disabledReason).toBe("");
  });

  it("leaves an endpoint alone after ten failures in a row, tries it once, and goes on when it works", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    answer(500);
    const ids = Array.from({ length: 60 }, () => randomUUID());
    for (const id of ids) await world.publish(statusEvents(id, 1, 1, tenant));
    const paused = async (): Promise<Date | undefined> => {
      const subscriptions = world.mongo.connection.collection<{ _id: string; pausedUntil?: Date }>("subscriptions");
      return (await subscriptions.findOne({ _id: subscriptionId }))?.pausedUntil;
    };
    /** Attempts made, once none is on its way any more. */
    const rest = async (): Promise<number> => {
      let [before, now] = [-1, await attempts(subscriptionId)];
      while (before !== now || now !== world.sink.received(path).length) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        [before, now] = [now, await attempts(subscriptionId)];
      }
      return now;
    };
    await eventually(async () => (await paused()) !== undefined);
    const tried = await rest();
    // Ten, and those that were on their way by then.
    expect(tried).toBeLessThan(40);
    clock.advance(29_000);
    expect(await rest()).toBe(tried);

    clock.advance(1_000);
    await eventually(async () => (await attempts(subscriptionId)) === tried + 1);
    expect(await rest()).toBe(tried + 1);
    answer(200);
    clock.advance(30_000);

    await settled(subscriptionId, DeliveryState.DELIVERED, 60);
    expect(await paused()).toBeUndefined();
  });

  it("sends a test event once, also to a disabled endpoint, and changes nothing by it", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    answer(500);

    const failed = await world.webhook.sendTest({ tenant, subscriptionId });
    await settled(subscriptionId, DeliveryState.FAILED, 1);
    answer(410);
    await world.webhook.sendTest({ tenant, subscriptionId });
    await settled(subscriptionId, DeliveryState.FAILED, 2);
    const subscriptions = world.mongo.connection.collection<{ _id: string; disabled: object | null; failures: number }>(
      "subscriptions",
    );
    expect(await subscriptions.findOne({ _id: subscriptionId })).toMatchObject({ disabled: null, failures: 0 });
    await subscriptions.updateOne({ _id: subscriptionId }, { $set: { disabled: { at: clock.now(), reason: "gone" } } });
    answer(204);
    await world.webhook.sendTest({ tenant, subscriptionId });
    await settled(subscriptionId, DeliveryState.DELIVERED, 1);

    expect(failed.delivery).toMatchObject({ event: "WebhookTest", state: DeliveryState.PENDING, attempts: 0 });
    expect(world.sink.received(path).map(({ body }) => body)).toEqual(
      Array.from(
        { length: 3 },
        () => `{"event":"WebhookTest","webhookId":"${subscriptionId}","tenantId":"${tenant}","version":1}`,
      ),
    );
    expect((await world.webhook.listSubscriptions({ tenant })).subscriptions[0]?.disabledReason).toBe("gone");
  });
});
