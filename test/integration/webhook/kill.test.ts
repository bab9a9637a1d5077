import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-testbed";
import type { Received } from "./sink";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { deliveredIn, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const paths = ["/one", "/two", "/three", "/four"];
const transactions = 250;
const eventsPerTransaction = 10;
const total = paths.length * transactions * eventsPerTransaction;
const kills = 4;
/** As many messages of one event each are handled at a time at most. */
const messagesInHand = 128;

const eventIdOf = ({ headers }: Received): string => String(headers["x-service-event-id"]);

describe("a service that is killed", () => {
  let world: WebhookWorld;
  let service: WebhookProcess;
  /** Path and event of all that arrived. */
  const arrived = new Set<string>();

  beforeAll(async () => {
    world = await startWebhookWorld();
    service = await makeWebhookProcess(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.stop();
  });

  it("loses none of 10,000 deliveries, keeps their order, and repeats only what was on its way, byte for byte", async () => {
    for (const path of paths) {
      await world.subscribe(path);
      world.sink.respond(path, (received, response) => {
        arrived.add(`${path} ${eventIdOf(received)}`);
        setTimeout(() => response.writeHead(200).end(), 5);
      });
    }
    await world.stopService();
    await service.start();
    const ids = Array.from({ length: transactions }, () => randomUUID());
    const publishing = (async () => {
      for (let sequence = 1; sequence <= eventsPerTransaction; sequence += 1) {
        await Promise.all(ids.map((id) => world.publish(statusEvents(id, sequence, sequence))));
      }
    })();

    for (let kill = 1; kill <= kills; kill += 1) {
      await eventually(() => arrived.size >= (total * kill) / (kills + 1), 120_000);
      await service.kill();
      await service.start();
    }
    await publishing;
    await eventually(() => arrived.size === total, 180_000);

    await eventually(async () => (await deliveredIn(world)) === total, 60_000);
    const wanted = Array.from({ length: eventsPerTransaction }, (_, index) => `S${index + 1}`);
    let repeats = -total;
    for (const path of paths) {
      const told = Map.groupBy(world.sink.received(path), ({ body }) => transactionOf(body));
      expect(told.size).toBe(transactions);
      for (const [, received] of told) {
        const byEvent = Map.groupBy(received, eventIdOf);
        expect([...byEvent.values()].map(([first]) => statusOf(first?.body ?? "{}"))).toEqual(wanted);
        for (const [, same] of byEvent) {
          expect(new Set(same.map(({ body }) => body)).size).toBe(1);
          expect(same.length).toBeLessThanOrEqual(1 + kills);
        }
        repeats += received.length;
      }
    }
    expect(repeats).toBeLessThanOrEqual(kills * messagesInHand * paths.length);
  }, 600_000);
});

const fieldsOf = (body: string) => JSON.parse(body) as { transactionId: string; newStatus: string };
const transactionOf = (body: string): string => fieldsOf(body).transactionId;
const statusOf = (body: string): string => fieldsOf(body).newStatus;
