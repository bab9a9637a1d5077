import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-ground";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { startWebhookWorld, statusEvents, statusesAt, type WebhookWorld } from "./webhook-world";

const transactions = 100 * Number(process.env["RANDOM_FACTOR"] ?? "1");
const eventsPerTransaction = 10;
const kills = 4;
/** As many messages are handled at a time at most, and half a transaction's events come in one. */
const messagesInHand = 128;

describe("a service that is killed", () => {
  let world: WebhookWorld;
  let service: WebhookProcess;

  beforeAll(async () => {
    world = await startWebhookWorld();
    service = await makeWebhookProcess(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.stop();
  });

  it("loses no delivery, keeps their order, and repeats only what was on its way", async () => {
    const path = "/killed";
    const total = transactions * eventsPerTransaction;
    await world.subscribe(path);
    await world.stopService();
    world.sink.respond(path, (_received, response) => setTimeout(() => response.writeHead(200).end(), 20));
    await service.start();
    const ids = Array.from({ length: transactions }, () => randomUUID());
    const half = eventsPerTransaction / 2;
    const publishing = (async () => {
      for (const id of ids) await world.publish(statusEvents(id, 1, half));
      for (const id of ids) await world.publish(statusEvents(id, half + 1, eventsPerTransaction));
    })();

    for (let kill = 1; kill <= kills; kill += 1) {
      await eventually(() => world.sink.received(path).length >= (total * kill) / (kills + 2), 60_000);
      await service.kill();
      await service.start();
    }
    await publishing;
    const distinct = (): number =>
      new Set(world.sink.received(path).map(({ headers }) => headers["x-service-event-id"])).size;
    await eventually(() => distinct() === total, 120_000);

    const wanted = Array.from({ length: eventsPerTransaction }, (_, index) => `S${index + 1}`);
    for (const id of ids) {
      const first = [...new Set(statusesAt(world.sink, path, id))];
      expect(first).toEqual(wanted);
    }
    const deliveries = world.mongo.connection.collection("deliveries");
    await eventually(async () => (await deliveries.countDocuments({ state: "pending" })) === 0);
    // Of what was acknowledged and not yet stored there is no more than what was being stored.
    expect(world.sink.received(path).length - total).toBeLessThanOrEqual(messagesInHand * half * kills);
  }, 300_000);
});
