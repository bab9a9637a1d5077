import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { eventually } from "../bus/bus-testbed";
import { verifiedTime } from "./sink";
import {
  deliveredIn,
  startWebhookWorld,
  statusEvents,
  statusesAt,
  storedEvents,
  type WebhookWorld,
} from "./webhook-world";

const callers = 4;

describe("the same call from many at once", () => {
  let world: WebhookWorld;
  let path: string;
  let tenant: string;
  let subscriptionId: string;

  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(async () => {
    await world.stop();
  });
  beforeEach(async () => {
    path = `/${randomUUID()}`;
    tenant = `t-${randomUUID().slice(0, 8)}`;
    subscriptionId = await world.subscribe(path, tenant);
  });

  const atOnce = <T>(call: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: callers }, call));
  const delivered = (): Promise<number> => deliveredIn(world, { subscriptionId });

  it("recovers each event for one of them, and sends it once and in order", async () => {
    const since = new Date();
    const [before, during] = [randomUUID(), Array.from({ length: 15 }, () => randomUUID())];
    world.sink.respond(path, (_received, response) => response.writeHead(410).end());
    await world.publish(statusEvents(before, 1, 10, tenant, since));
    const feed = () =>
      world.webhook.listEvents({ tenant, after: undefined, fromNewest: false, limit: 1, eventNames: [] });
    await eventually(async () => (await feed()).next >= 1n);
    await eventually(async () => {
      const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
      return subscriptions[0]?.disabledReason === "gone";
    });
    for (const id of during) await world.publish(statusEvents(id, 1, 10, tenant, since));
    await eventually(async () => (await storedEvents(world, tenant)) === 160, 30_000);
    world.sink.respond(path, (_received, response) => response.writeHead(200).end());
    const until = new Date(since.getTime() + 3_600_000);

    const answers = await atOnce(() => world.webhook.recover({ tenant, subscriptionId, since, until }));

    expect(answers.reduce((sum, { recovered }) => sum + recovered, 0)).toBe(160);
    await eventually(async () => (await delivered()) === 160, 60_000);
    const order = Array.from({ length: 10 }, (_, index) => `S${index + 1}`);
    for (const id of during) expect(statusesAt(world.sink, path, id)).toEqual(order);
  }, 120_000);

  it("redelivers a delivery, and leaves it delivered", async () => {
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(async () => (await delivered()) === 1);
    const request = { tenant, subscriptionId, subjectId: undefined, state: DeliveryState.UNSPECIFIED, after: "" };
    const { deliveries } = await world.webhook.listDeliveries({ ...request, limit: 1 });
    const deliveryId = deliveries[0]?.id ?? "";

    await atOnce(() => world.webhook.redeliver({ tenant, subscriptionId, deliveryId }));

    await eventually(async () => world.sink.received(path).length > 1 && (await delivered()) === 1);
    expect(new Set(world.sink.received(path).map(({ body }) => body)).size).toBe(1);
    const queues = world.mongo.connection.collection<{ _id: string }>("queues");
    await eventually(async () => (await queues.countDocuments({ _id: subscriptionId })) === 0);
    expect(world.sink.received(path).length).toBeLessThanOrEqual(1 + callers);
  });

  it("gives each its own secret, and signs with the one whose fingerprint is shown", async () => {
    const made = await atOnce(() => world.webhook.rotateSecret({ tenant, subscriptionId }));
    const { subscriptions } = await world.webhook.listSubscriptions({ tenant });
    const kept = made.filter(({ secretFingerprint }) => secretFingerprint === subscriptions[0]?.secretFingerprint);
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(() => world.sink.received(path).length === 1);

    expect(new Set(made.map(({ signingSecret }) => signingSecret)).size).toBe(callers);
    expect(kept).toHaveLength(1);
    const [received] = world.sink.received(path);
    expect(received && verifiedTime(received, kept[0]?.signingSecret ?? "")).toBeDefined();
  });

  it("deletes a subscription for one of them", async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: callers }, () => world.webhook.deleteSubscription({ tenant, subscriptionId })),
    );

    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ reason: "WEBHOOK_NOT_FOUND" });
    }
  });
});
