import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { eventually } from "../bus/bus-testbed";
import { verifiedTime } from "./sink";
import { makeStandingClock, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

interface Batch {
  batchId: string;
  isBatch: boolean;
  events: { transactionId: string; newStatus: string }[];
}

describe("batches", () => {
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

  const batches = (): Batch[] => world.sink.received(path).map(({ body }) => JSON.parse(body) as Batch);
  const subscribe = (): Promise<string> => world.subscribe(path, tenant, ["TransactionStatusChanged"], true);
  const list = async (subscriptionId: string, state = DeliveryState.UNSPECIFIED) => {
    const request = { tenant, subscriptionId, subjectId: undefined, state, after: "", limit: 200 };
    return (await world.webhook.listDeliveries(request)).deliveries;
  };

  it("carry what came while the endpoint was busy, in order, each event as it would be alone", async () => {
    const single = `${path}/single`;
    const subscriptionId = await subscribe();
    await world.subscribe(single, tenant);
    const { signingSecret } = await world.webhook.rotateSecret({ tenant, subscriptionId });
    let release = (): void => {};
    world.sink.respond(path, (_received, response) => {
      release = () => response.writeHead(200).end();
    });
    const ids = Array.from({ length: 15 }, () => randomUUID());
    await world.publish(statusEvents(ids[0] ?? "", 1, 1, tenant));
    await eventually(() => world.sink.received(path).length === 1);
    for (const id of ids.slice(1)) await world.publish(statusEvents(id, 1, 5, tenant));
    await eventually(async () => (await list(subscriptionId)).length === 71);
    world.sink.respond(path, (_received, response) => response.writeHead(200).end());
    release();

    await eventually(() => batches().flatMap(({ events }) => events).length === 71);

    await eventually(() => world.sink.received(single).length >= 71);

    expect(batches().map(({ events }) => events.length)).toEqual([1, 50, 20]);
    const alone = world.sink.received(single).map(({ body }) => body);
    for (const received of world.sink.received(path)) {
      const { batchId, events } = JSON.parse(received.body) as Batch;
      const bodies = events.map((event) => alone.find((body) => body === JSON.stringify(event)));
      expect(received.body).toBe(`{"batchId":"${batchId}","isBatch":true,"events":[${bodies.join(",")}]}`);
      expect(received.headers).toMatchObject({ "x-service-event-id": batchId, "webhook-id": batchId });
      expect(verifiedTime(received, signingSecret)).toBeDefined();
    }
    for (const id of ids.slice(1)) {
      const statuses = batches().flatMap(({ events }) => events.filter(({ transactionId }) => transactionId === id));
      expect(statuses.map(({ newStatus }) => newStatus)).toEqual(["S1", "S2", "S3", "S4", "S5"]);
    }
    const sequences = world.sink.received(path).map(({ headers }) => Number(headers["x-service-sequence"]));
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect((await list(subscriptionId)).every(({ state }) => state === DeliveryState.DELIVERED)).toBe(true);
  });

  it("are tried again unchanged, whatever came meanwhile, and pass a stuck one after four attempts", async () => {
    const subscriptionId = await subscribe();
    const [first, second] = [randomUUID(), randomUUID()];
    world.sink.respond(path, ({ body }, response) => response.writeHead(body.includes(first) ? 500 : 200).end());
    await world.publish(statusEvents(first, 1, 3, tenant));
    await eventually(() => batches().length === 1);
    await world.publish(statusEvents(second, 1, 2, tenant));
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await eventually(async () => (await list(subscriptionId)).some(({ attempts }) => attempts === attempt));
      expect(batches()).toHaveLength(attempt);
      clock.advance(2 * 60_000);
    }

    await eventually(() => batches().length === 5);

    const bodies = world.sink.received(path).map(({ body }) => body);
    expect(new Set(bodies.slice(0, 4)).size).toBe(1);
    expect(batches()[4]?.events.map(({ transactionId }) => transactionId)).toEqual([second, second]);
  });

  it("are redelivered as a whole", async () => {
    const subscriptionId = await subscribe();
    await world.publish(statusEvents(randomUUID(), 1, 3, tenant));
    await eventually(async () => (await list(subscriptionId, DeliveryState.DELIVERED)).length === 3);
    const [delivery] = await list(subscriptionId);
    expect(delivery?.batchId).toBe(batches()[0]?.batchId);

    await world.webhook.redeliver({ tenant, subscriptionId, deliveryId: delivery?.id ?? "" });

    await eventually(() => batches().length === 2);
    const [one, two] = world.sink.received(path);
    expect(two?.body).toBe(one?.body);
    await eventually(async () => (await list(subscriptionId, DeliveryState.DELIVERED)).length === 3);
  });
});
