import { randomUUID } from "node:crypto";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startWebhook } from "../../../services/webhook/app";
import { eventually } from "../bus/bus-testbed";
import { deliveredIn, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const tenant = "shared";
const events = 60;
/** At an endpoint that has not answered yet, over all replicas. */
const places = 8;

describe("replicas", () => {
  let world: WebhookWorld;
  let other: Running;

  beforeAll(async () => {
    world = await startWebhookWorld();
    other = await startWebhook(world.config);
  });
  afterAll(async () => {
    await world.stop();
  });

  it("share the places at one endpoint", async () => {
    const path = `/${randomUUID()}`;
    await world.subscribe(path, tenant);
    let inFlight = 0;
    let most = 0;
    const hanging: (() => void)[] = [];
    world.sink.respond(path, (_received, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      response.once("close", () => {
        inFlight -= 1;
      });
      hanging.push(() => response.writeHead(200).end());
    });
    await counted(world);
    for (let index = 0; index < events; index += 1) await world.publish(statusEvents(randomUUID(), 1, 1, tenant));

    await eventually(() => inFlight === places, 30_000);
    // What had no place in time waits in the queue, which one of the two works on.
    const deliveries = world.mongo.connection.collection("deliveries");
    await eventually(async () => (await deliveries.countDocuments({ state: "pending" })) === events, 30_000);

    expect(most).toBe(places);
    world.sink.respond(path, (_received, response) => response.writeHead(200).end());
    for (const answer of hanging) answer();
    await eventually(async () => (await deliveredIn(world)) === events, 60_000);
    await other.stop();
    expect(await world.mongo.connection.collection("replicas").countDocuments({})).toBe(1);
  }, 120_000);
});

/** Ends when each of the two has said twice that it is there, so that it has counted the other. */
async function counted({ mongo }: WebhookWorld): Promise<void> {
  const replicas = mongo.connection.collection<{ _id: string; seenAt: Date }>("replicas");
  for (let round = 0; round < 2; round += 1) {
    const before = new Date();
    await eventually(async () => (await replicas.countDocuments({ seenAt: { $gt: before } })) === 2, 30_000);
  }
}
