import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { eventually } from "../bus/bus-testbed";
import { timesOutOfOrder } from "./time-order";
import { deliveredIn, makeMovableClock, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const tenant = "demo";

describe("the times of every record", () => {
  let world: WebhookWorld;
  const clock = makeMovableClock();

  beforeAll(async () => {
    world = await startWebhookWorld({ clock, plan: { delaysMs: [0, 20, 20] } });
  });
  afterAll(async () => {
    await world.stop();
  });

  const list = async (subscriptionId: string) => {
    const request = { tenant, subscriptionId, subjectId: undefined, state: DeliveryState.UNSPECIFIED, after: "" };
    return (await world.webhook.listDeliveries({ ...request, limit: 200 })).deliveries;
  };

  it("are in the order in which things happen, whatever becomes of a delivery", async () => {
    const paths = { well: 200, late: 200, fails: 500, gone: 410, batch: 200, repeats: 200 };
    const ids: Record<string, string> = {};
    for (const [path, status] of Object.entries(paths)) {
      ids[path] = await world.subscribe(`/${path}`, tenant, undefined, path === "batch");
      let attempts = 0;
      world.sink.respond(`/${path}`, (_received, response) => {
        attempts += 1;
        const isFirst = path === "repeats" && attempts <= 4;
        setTimeout(() => response.writeHead(isFirst ? 503 : status).end(), path === "late" ? 1_200 : 30);
      });
    }
    await world.webhook.rotateSecret({ tenant, subscriptionId: ids["well"] ?? "" });
    for (let index = 0; index < 6; index += 1) await world.publish(statusEvents(randomUUID(), 1, 3));
    const deliveries = world.mongo.connection.collection("deliveries");
    const isQuiet = async (count: number): Promise<boolean> => {
      const paused = { tenant, pausedUntil: { $gt: clock.now() } };
      if ((await world.mongo.connection.collection("subscriptions").findOne(paused)) !== null) clock.advance(31_000);
      const failed = await deliveries.countDocuments({ createdAt: { $gt: new Date(0) }, state: "failed" });
      return (
        failed + (await deliveredIn(world)) >= count && (await deliveries.countDocuments({ state: "pending" })) === 0
      );
    };
    await eventually(() => isQuiet(18 * 5));
    for (const path of ["well", "batch", "gone"]) {
      const [delivery] = await list(ids[path] ?? "");
      if (delivery === undefined)
        process.stderr.write(
          `${path} ${JSON.stringify(await deliveries.find({}, { projection: { subscriptionId: 1, state: 1, endedAt: 1 } }).toArray())} ${JSON.stringify(ids)}\n`,
        );
      await world.webhook.redeliver({ tenant, subscriptionId: ids[path] ?? "", deliveryId: delivery?.id ?? "" });
    }
    await world.webhook.sendTest({ tenant, subscriptionId: ids["well"] ?? "" });
    await eventually(() => isQuiet(18 * 5));

    expect(await timesOutOfOrder(world.mongo)).toEqual([]);
    for (const id of Object.values(ids)) {
      for (const { createdAt, endedAt } of await list(id))
        if (endedAt !== undefined) expect(endedAt.getTime()).toBeGreaterThanOrEqual(createdAt?.getTime() ?? 0);
    }
  });
});
