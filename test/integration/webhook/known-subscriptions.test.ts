import { randomUUID } from "node:crypto";
import { openBus } from "../../../services/shared/bus/jetstream";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startWebhook } from "../../../services/webhook/app";
import { openSubscriptions } from "../../../services/webhook/app/subscriptions";
import { healthy, type Subscription } from "../../../services/webhook/domain/subscription";
import { eventually, silent } from "../bus/bus-testbed";
import { verifiedTime } from "./sink";
import { makeWebhookClient, startWebhookWorld, statusEvents, type Webhook, type WebhookWorld } from "./webhook-world";

/** Within this time a change is in force everywhere, milliseconds. */
const inForceMs = 1_000;
const many = 20;
const tenant = "demo";
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("a subscription that is changed at one of two replicas", () => {
  let world: WebhookWorld;
  let second: Running;
  let other: Webhook & Running;
  let stored = 0;

  beforeAll(async () => {
    world = await startWebhookWorld();
    const started = await startWebhook(world.config);
    second = started;
    other = makeWebhookClient(started.port);
  });
  afterAll(async () => {
    await other.stop();
    await second.stop();
    await world.stop();
  });

  /** Events of so many transactions that both replicas have some; ends when all are stored. */
  const publishMany = async (): Promise<void> => {
    await Promise.all(Array.from({ length: many }, () => world.publish(statusEvents(randomUUID(), 1, 1))));
    stored += many;
    await eventually(async () => {
      const { events } = await world.webhook.listEvents({
        tenant,
        after: undefined,
        fromNewest: false,
        limit: 200,
        eventNames: [],
      });
      return events.length === stored;
    });
  };

  it("is made, signs with its new secret, and gets nothing behind its end, at both", async () => {
    // Both replicas know that there is none.
    await publishMany();
    const request = { tenant, url: world.sink.url("/one"), events: ["TransactionStatusChanged"], isBatch: false };
    const subscriptionId = (await other.createSubscription(request)).subscription?.id ?? "";
    await pass(inForceMs);
    await publishMany();
    await eventually(() => world.sink.received("/one").length === many);

    for (let round = 1; round <= 2; round += 1) {
      const { signingSecret } = await other.rotateSecret({ tenant, subscriptionId });
      await pass(inForceMs);
      const before = world.sink.received("/one").length;
      await publishMany();
      await eventually(() => world.sink.received("/one").length === before + many);
      for (const received of world.sink.received("/one").slice(before))
        expect(verifiedTime(received, signingSecret)).toBeDefined();
    }

    await other.deleteSubscription({ tenant, subscriptionId });
    await pass(inForceMs);
    const before = world.sink.received("/one").length;
    await publishMany();
    await pass(inForceMs);
    expect(world.sink.received("/one")).toHaveLength(before);
  }, 120_000);
});

describe("what a replica keeps of subscriptions", () => {
  let world: WebhookWorld;
  const opened: Running[] = [];
  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterEach(async () => {
    for (const bus of opened.splice(0)) await bus.stop();
  });
  afterAll(() => world.stop());

  const subscription = (of: string): Subscription => ({
    id: randomUUID(),
    tenant: of,
    url: "https://example.com/",
    events: [],
    isBatch: false,
    createdAt: new Date(),
    secret: undefined,
    disabled: undefined,
    health: healthy,
  });
  /** A replica by whose clock no time passes but what the test lets pass. */
  const openReplica = async (name: string) => {
    let nowMs = 0;
    const bus = await openBus({ url: world.testbed.natsUrl, name: "test", logger: silent });
    opened.push(bus);
    const { connection } = await bus.client();
    await connection.flush();
    const { subscriptions, known } = openSubscriptions(world.mongo.connection, bus, name, () => nowMs);
    await connection.flush();
    const pass = (ms: number): void => {
      nowMs += ms;
    };
    return { bus, flush: () => connection.flush(), subscriptions, known, pass };
  };

  const openTwo = async () => {
    const of = randomUUID();
    const [writer, reader] = [await openReplica("writer"), await openReplica("reader")];
    const ids = async () => (await reader.known.of([of])).map(({ id }) => id);
    const [first, last] = [subscription(of), subscription(of)];
    await writer.subscriptions.add(first);
    await eventually(async () => (await ids()).length === 1);
    // Behind this no word of it is on its way.
    await writer.flush();
    await reader.flush();
    await ids();
    return { of, writer, reader, first, last, ids };
  };

  it("is what is stored as soon as another tells that it has changed, however young it is", async () => {
    const { of, writer, first, last, ids } = await openTwo();

    await writer.subscriptions.add(last);
    await eventually(async () => (await ids()).length === 2);
    await writer.subscriptions.remove(of, first.id);
    await eventually(async () => (await ids()).length === 1);

    expect(await ids()).toEqual([last.id]);
  });

  it("is what is stored when it is a second old, though nobody can tell of a change", async () => {
    const { of, writer, reader, first, last, ids } = await openTwo();
    await writer.bus.stop();

    await writer.subscriptions.add(last);
    await writer.subscriptions.remove(of, first.id);
    expect(await ids()).toEqual([first.id]);
    reader.pass(inForceMs);

    expect(await ids()).toEqual([last.id]);
  });
});
