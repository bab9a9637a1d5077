import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-testbed";
import { deliveredIn, startWebhookWorld, statusEvents, statusesAt, stream, type WebhookWorld } from "./webhook-world";

describe("while nothing can be stored", () => {
  let world: WebhookWorld;
  let tenant: string;
  let path: string;

  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(async () => {
    await world.stop();
  });
  beforeEach(() => {
    tenant = `t-${randomUUID().slice(0, 8)}`;
    path = `/${randomUUID()}`;
  });

  const pages = () => world.mongo.connection.collection<{ _id: string; [field: string]: unknown }>("feed_pages");
  /** The next place in the tenant's feed is taken, so every transaction that gives it fails. */
  const blockStoring = async (position = 1): Promise<() => Promise<unknown>> => {
    const _id = `${tenant}/${String(position).padStart(16, "0")}`;
    await pages().insertOne({ _id, tenant, createdAt: new Date(), events: [], handled: [] });
    return () => pages().deleteOne({ _id });
  };
  /** How often messages were handed out so far, the same one counted each time. */
  const handedOut = async (): Promise<number> => {
    const { manager } = await world.bus.client();
    return (await manager.consumers.info(stream.name, "webhook")).delivered.consumer_seq;
  };
  const comesAgain = async (times: number): Promise<void> => {
    const before = await handedOut();
    await eventually(async () => (await handedOut()) >= before + times, 60_000);
  };
  const delivered = (count: number): Promise<void> =>
    eventually(async () => (await deliveredIn(world, { tenant })) === count, 60_000);

  it("a message that keeps coming is sent once, and once more when it can be stored", async () => {
    await world.subscribe(path, tenant);
    const unblock = await blockStoring();
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await eventually(() => world.sink.received(path).length === 1, 60_000);

    await comesAgain(3);
    expect(world.sink.received(path)).toHaveLength(1);

    await unblock();
    await delivered(1);
    expect(statusesAt(world.sink, path)).toEqual(["S1", "S1"]);
    const [first, second] = world.sink.received(path);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-service-event-id"]).toBe(first?.headers["x-service-event-id"]);
  });

  it("what comes newly is not sent at all, and in order afterwards", async () => {
    const [known, fresh] = [randomUUID(), randomUUID()];
    await world.subscribe(path, tenant);
    const unblock = await blockStoring();
    await world.publish(statusEvents(known, 1, 1, tenant));
    await eventually(() => world.sink.received(path).length === 1, 60_000);
    await comesAgain(1);

    await world.publish(statusEvents(fresh, 1, 3, tenant));
    await comesAgain(3);
    expect(statusesAt(world.sink, path, fresh)).toEqual([]);

    await unblock();
    await delivered(4);
    expect(statusesAt(world.sink, path, fresh)).toEqual(["S1", "S2", "S3"]);
  });

  it("goes on as before when it is over: what comes is sent at once, and once", async () => {
    await world.subscribe(path, tenant);
    const unblock = await blockStoring();
    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await comesAgain(2);
    await unblock();
    await delivered(1);
    const unblockLater = await blockStoring(3);

    const id = randomUUID();
    await world.publish(statusEvents(id, 1, 1, tenant));
    await delivered(2);
    expect(statusesAt(world.sink, path, id)).toEqual(["S1"]);
    await world.publish(statusEvents(id, 2, 2, tenant));
    await comesAgain(2);

    // Sent before it could be stored, unless the queue of the message before it was still known to be open: then it waits.
    expect(await deliveredIn(world, { tenant })).toBe(2);
    await unblockLater();
    await delivered(3);
    expect(["S1,S2", "S1,S2,S2"]).toContain(statusesAt(world.sink, path, id).join());
  });
});
