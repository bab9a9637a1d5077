import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { productionPlan } from "../../../services/webhook/domain/retry-plan";
import { eventually } from "../bus/bus-testbed";
import { deliveredIn, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

describe("a subscription that is deleted", () => {
  let world: WebhookWorld;
  let path: string;
  let tenant: string;

  beforeAll(async () => {
    world = await startWebhookWorld({ plan: productionPlan });
  });
  afterAll(async () => {
    await world.stop();
  });
  beforeEach(() => {
    path = `/${randomUUID()}`;
    tenant = `t-${randomUUID().slice(0, 8)}`;
  });

  const statesOf = async (subscriptionId: string): Promise<string[]> => {
    const stored = world.mongo.connection.collection<{ state: string }>("deliveries").find({ subscriptionId });
    return (await stored.toArray()).map(({ state }) => state);
  };
  const isClosed = async (subscriptionId: string): Promise<boolean> => {
    const queues = world.mongo.connection.collection<{ _id: string }>("queues");
    return (await queues.countDocuments({ _id: subscriptionId })) === 0;
  };

  const subscriptions = () => world.mongo.connection.collection<{ _id: string }>("subscriptions");

  it("gives up at once what waits for its next attempt, however far that is, and its queue", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    world.sink.respond(path, (_received, response) => response.writeHead(500, { "retry-after": "9" }).end());
    await world.publish(statusEvents(randomUUID(), 1, 3, tenant));
    await eventually(async () => (await statesOf(subscriptionId)).length === 3);

    await world.webhook.deleteSubscription({ tenant, subscriptionId });

    expect(await statesOf(subscriptionId)).toEqual(["failed", "failed", "failed"]);
    await eventually(() => isClosed(subscriptionId));
  });

  it.each([
    ["its owner", (id: string) => world.webhook.deleteSubscription({ tenant, subscriptionId: id })],
    [
      "one who died in between",
      async (id: string) => {
        await subscriptions().deleteOne({ _id: id });
        // No message announces it, so it is in force a second later.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      },
    ],
  ])("by %s gets no test that waited for its turn, which is given up, too", async (_who, remove) => {
    const subscriptionId = await world.subscribe(path, tenant);
    const held: (() => void)[] = [];
    world.sink.respond(path, (_received, response) => {
      held.push(() => response.writeHead(200).end());
    });
    for (let index = 0; index < 8; index += 1) await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(() => held.length === 8);
    await world.webhook.sendTest({ tenant, subscriptionId });
    await remove(subscriptionId);
    for (const end of held) end();

    await eventually(() => isClosed(subscriptionId));

    expect((await statesOf(subscriptionId)).filter((state) => state === "pending")).toEqual([]);
    expect(world.sink.received(path)).toHaveLength(8);
  });

  it("has no deliveries to look at or to send again", async () => {
    const subscriptionId = await world.subscribe(path, tenant);
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(async () => (await deliveredIn(world, { subscriptionId })) === 1);
    const all = { subjectId: undefined, state: DeliveryState.UNSPECIFIED, after: "", limit: 1 };
    const { deliveries } = await world.webhook.listDeliveries({ tenant, subscriptionId, ...all });
    const target = { tenant, subscriptionId, deliveryId: deliveries[0]?.id ?? "" };
    await world.webhook.getDelivery(target);

    await world.webhook.deleteSubscription({ tenant, subscriptionId });

    const notFound = { reason: "WEBHOOK_NOT_FOUND" };
    await expect(world.webhook.getDelivery(target)).rejects.toMatchObject(notFound);
    await expect(world.webhook.redeliver(target)).rejects.toMatchObject(notFound);
    await expect(world.webhook.listDeliveries({ tenant, subscriptionId, ...all })).rejects.toMatchObject(notFound);
  });
});
