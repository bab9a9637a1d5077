import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-ground";
import type { Received } from "./sink";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { deliveredIn, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const paths = ["/first", "/second"];
const transactions = 100;
const eventsPerTransaction = 10;
const total = paths.length * transactions * eventsPerTransaction;

const eventIdOf = ({ headers }: Received): string => String(headers["x-service-event-id"]);
const fieldsOf = ({ body }: Received) => JSON.parse(body) as { transactionId: string; newStatus: string };

describe("two replicas", () => {
  let world: WebhookWorld;
  let replicas: WebhookProcess[] = [];
  /** Path and event of all that arrived. */
  const arrived = new Set<string>();

  beforeAll(async () => {
    world = await startWebhookWorld();
    replicas = [await makeWebhookProcess(world), await makeWebhookProcess(world)];
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await world.stop();
  });

  it("share first attempts as messages come, in order, and one takes over what the other leaves when it is killed", async () => {
    for (const path of paths) {
      await world.subscribe(path);
      world.sink.respond(path, (received, response) => {
        arrived.add(`${path} ${eventIdOf(received)}`);
        setTimeout(() => response.writeHead(200).end(), 5);
      });
    }
    await world.stopService();
    const [killed, survivor] = replicas;
    if (killed === undefined || survivor === undefined) throw new Error("there are two");
    await Promise.all(replicas.map((replica) => replica.start()));
    const ids = Array.from({ length: transactions }, () => randomUUID());
    const publish = async (from: number, to: number): Promise<void> => {
      for (let sequence = from; sequence <= to; sequence += 1) {
        await Promise.all(ids.map((id) => world.publish(statusEvents(id, sequence, sequence))));
      }
    };
    const half = eventsPerTransaction / 2;

    await publish(1, half);
    await eventually(() => arrived.size === total / 2, 120_000);
    const shares = await Promise.all(replicas.map((replica) => replica.delivered()));
    await publish(half + 1, eventsPerTransaction);
    await eventually(() => arrived.size >= (total * 3) / 4, 120_000);
    await killed.kill();
    await eventually(() => arrived.size === total, 120_000);

    for (const share of shares) expect(share).toBeGreaterThan(0);
    await eventually(async () => (await deliveredIn(world)) === total, 60_000);
    expect(await survivor.delivered()).toBeGreaterThan(shares[1] ?? 0);
    const wanted = Array.from({ length: eventsPerTransaction }, (_, index) => `S${index + 1}`);
    for (const path of paths) {
      const told = Map.groupBy(world.sink.received(path), (received) => fieldsOf(received).transactionId);
      expect(told.size).toBe(transactions);
      for (const [, received] of told) {
        expect([...new Set(received.map((one) => fieldsOf(one).newStatus))]).toEqual(wanted);
      }
    }
  }, 400_000);
});
