import { randomUUID } from "node:crypto";
import { DeliveryState } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { eventually } from "../bus/bus-testbed";
import { verifiedTime, verifiesAsStandard } from "./sink";
import { deliveredIn, startWebhookWorld, statusEvents, statusesAt, type WebhookWorld } from "./webhook-world";

const rotations = 200;

const statuses = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `S${from + index}`);

describe("deliveries", () => {
  let world: WebhookWorld;
  let path: string;

  beforeAll(async () => {
    world = await startWebhookWorld();
  });
  afterAll(async () => {
    await world.stop();
  });
  beforeEach(() => {
    path = `/${randomUUID()}`;
  });

  const arrived = (count: number, waitMs?: number): Promise<void> =>
    eventually(() => world.sink.received(path).length >= count, waitMs);
  /** Gives what should not come the time to come. */
  const pause = (ms = 600): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it("delivers the events of a transaction in order, as the specification writes them", async () => {
    const id = randomUUID();
    await world.subscribe(path, "order", ["transactionSTATUSchanged"]);
    await world.publish(statusEvents(id, 1, 2, "order"));
    await world.publish(statusEvents(id, 3, 10, "order"));

    await arrived(10);

    expect(statusesAt(world.sink, path)).toEqual(statuses(1, 10));
    const sequences = world.sink.received(path).map(({ headers }) => headers["x-service-sequence"]);
    expect(sequences).toEqual(Array.from({ length: 10 }, (_, index) => String(index + 1)));
    const [first] = world.sink.received(path);
    expect(first?.body).toBe(
      `{"event":"transactionSTATUSchanged","transactionId":"${id}","externalTransactionId":"ext-${id}",` +
        `"tenantId":"order","oldStatus":"S0","newStatus":"S1","newStatusMessages":["text with é and \u{1F4B8}"]}`,
    );
    expect(first?.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event-id": `${id}-1`,
      "x-service-delivery-attempt": "1",
      "x-service-sequence": "1",
    });
    expect(first?.headers["x-service-signature"]).toBeUndefined();
    expect(first?.headers["webhook-id"]).toBeUndefined();
  });

  it("continues the trace of the work that caused the event", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const message = statusEvents(randomUUID(), 1, 1, "traced");
    await world.subscribe(path, "traced");
    await world.publish({ ...message, events: message.events.map((event) => ({ ...event, traceparent })) });

    await arrived(1);

    expect(world.sink.received(path)[0]?.headers["traceparent"]).toBe(traceparent);
  });

  it("sends each tenant its own events only, and each subscription what it asked for", async () => {
    await world.subscribe(path, "tenant-a");
    await world.subscribe(`${path}/other`, "tenant-b");
    await world.subscribe(`${path}/payout`, "tenant-a", ["TransactionPayoutStatusChanged"]);
    await world.publish(statusEvents(randomUUID(), 1, 1, "tenant-a"));

    await arrived(1);
    await pause();

    expect(world.sink.received(path)).toHaveLength(1);
    expect(world.sink.received(`${path}/other`)).toHaveLength(0);
    expect(world.sink.received(`${path}/payout`)).toHaveLength(0);
  });

  it("sends each tenant its own events only, also when those of several are handled together", async () => {
    const tenants = ["together-a", "together-b", "together-c"];
    for (const tenant of tenants) await world.subscribe(`${path}/${tenant}`, tenant);
    const each = 60;

    await Promise.all(
      Array.from({ length: each }, () =>
        Promise.all(tenants.map((tenant) => world.publish(statusEvents(randomUUID(), 1, 1, tenant)))),
      ),
    );
    const delivered = () => Promise.all(tenants.map((tenant) => deliveredIn(world, { tenant })));
    await eventually(async () => (await delivered()).every((count) => count >= each), 60_000);
    await pause();

    expect(await delivered()).toEqual(tenants.map(() => each));
    for (const tenant of tenants) {
      const told = world.sink.received(`${path}/${tenant}`).map(({ body }) => JSON.parse(body) as { tenantId: string });
      expect(new Set(told.map(({ tenantId }) => tenantId))).toEqual(new Set([tenant]));
    }
  });

  it("delivers once what arrives twice, and fills a gap before it goes on", async () => {
    const id = randomUUID();
    await world.subscribe(path, "gap");
    await world.publish(statusEvents(id, 1, 2, "gap"));
    await world.publish(statusEvents(id, 1, 2, "gap"));
    await world.publish(statusEvents(id, 5, 6, "gap"));
    await arrived(2);
    await pause();
    expect(statusesAt(world.sink, path)).toEqual(statuses(1, 2));

    await world.publish(statusEvents(id, 2, 4, "gap"));

    await arrived(6);
    expect(statusesAt(world.sink, path)).toEqual(statuses(1, 6));
  });

  it("repeats a refused delivery byte for byte with a fresh signature, and holds its transaction's later ones", async () => {
    const [stuck, other] = [randomUUID(), randomUUID()];
    const subscriptionId = await world.subscribe(path, "retry");
    const { signingSecret } = await world.webhook.rotateSecret({ tenant: "retry", subscriptionId });
    let refusals = 0;
    // Refused once, and again while the other transaction is under way: were it to wait for this one, it would come too late.
    const othersArrived = () => statusesAt(world.sink, path, other).length;
    let othersBeforeDelivered: number | undefined;
    world.sink.respond(path, ({ body }, response) => {
      const isStuck = body.includes(stuck);
      const isRefused = isStuck && (refusals < 1 || (refusals < 3 && othersArrived() < 3));
      if (isRefused) refusals += 1;
      else if (isStuck) othersBeforeDelivered ??= othersArrived();
      response.writeHead(isRefused ? 503 : 204).end();
    });
    await world.publish(statusEvents(stuck, 1, 3, "retry"));
    await world.publish(statusEvents(other, 1, 3, "retry"));

    await eventually(() => statusesAt(world.sink, path, stuck).includes("S3") && othersArrived() === 3, 60_000);

    expect(statusesAt(world.sink, path, other)).toEqual(statuses(1, 3));
    expect(othersBeforeDelivered).toBe(3);
    expect(statusesAt(world.sink, path, stuck)).toEqual([...Array(refusals).fill("S1"), "S1", "S2", "S3"]);
    const [first, second] = world.sink.received(path).filter(({ body }) => body.includes(stuck));
    if (first === undefined || second === undefined) throw new Error("two attempts were expected");
    expect(second.body).toBe(first.body);
    expect(second.headers["x-service-event-id"]).toBe(first.headers["x-service-event-id"]);
    expect([first, second].map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "2"]);
    const times = [first, second].map((received) => verifiedTime(received, signingSecret) ?? 0);
    expect(times[1]).toBeGreaterThan(times[0] ?? 0);
    expect(Math.abs((times[1] ?? 0) * 1_000 - second.at)).toBeLessThan(5_000);
    expect(verifiesAsStandard(second, signingSecret)).toBe(true);
  });

  it("sends nothing of a transaction that comes while one before it waits for its next attempt", async () => {
    const id = randomUUID();
    const subscriptionId = await world.subscribe(path, "held");
    let refusals = 0;
    world.sink.respond(path, (_received, response) => {
      refusals += 1;
      response.writeHead(refusals === 1 ? 503 : 204).end();
    });
    await world.publish(statusEvents(id, 1, 1, "held"));
    const deliveries = world.mongo.connection.collection("deliveries");
    await eventually(async () => (await deliveries.countDocuments({ subscriptionId, state: "pending" })) === 1);

    await world.publish(statusEvents(id, 2, 3, "held"));

    await arrived(4);
    expect(statusesAt(world.sink, path)).toEqual(["S1", "S1", "S2", "S3"]);
  });

  it("asks once where an answer takes its time, and lets what comes behind it wait", async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    const tenant = "slow";
    const subscriptionId = await world.subscribe(path, tenant);
    const waiting: (() => void)[] = [];
    world.sink.respond(path, ({ body }, response) => {
      const end = (): void => void response.writeHead(200).end();
      if (body.includes(id) && body.includes('"newStatus":"S1"')) waiting.push(end);
      else end();
    });
    await world.publish(statusEvents(id, 1, 2, tenant));
    // Stored although the first attempt has not ended; the queue is worked on from here.
    const deliveries = world.mongo.connection.collection("deliveries");
    await eventually(async () => (await deliveries.countDocuments({ subscriptionId, state: "pending" })) === 2);
    await world.publish(statusEvents(id, 3, 3, tenant));
    await world.publish(statusEvents(other, 1, 1, tenant));
    await eventually(() => statusesAt(world.sink, path, other).length === 1);
    await pause(1_500);
    expect(statusesAt(world.sink, path, id)).toEqual(["S1"]);
    for (const end of waiting) end();

    await eventually(async () => (await deliveredIn(world, { subscriptionId })) === 4);

    expect(statusesAt(world.sink, path, id)).toEqual(["S1", "S2", "S3"]);
    const request = { tenant, subscriptionId, subjectId: id, state: DeliveryState.UNSPECIFIED, after: "", limit: 9 };
    const listed = (await world.webhook.listDeliveries(request)).deliveries.find(({ sequence }) => sequence === 1);
    const { delivery } = await world.webhook.getDelivery({ tenant, subscriptionId, deliveryId: listed?.id ?? "" });
    const begunAt = delivery?.log[0]?.at?.getTime() ?? Number.NaN;
    expect(delivery?.endedAt?.getTime()).toBeGreaterThan(begunAt + 1_500);
  });

  it("never follows a redirect, and takes it as a failure", async () => {
    await world.subscribe(path, "redirect");
    world.sink.respond(path, (_received, response) =>
      response.writeHead(302, { location: world.sink.url(`${path}/elsewhere`) }).end(),
    );
    await world.publish(statusEvents(randomUUID(), 1, 1, "redirect"));

    await arrived(2);

    expect(world.sink.received(`${path}/elsewhere`)).toHaveLength(0);
  });

  it("stops reading an endless answer", async () => {
    await world.subscribe(path, "endless");
    let isClosed = false;
    world.sink.respond(path, (_received, response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write(Buffer.alloc(16_384)), 1);
      response.once("close", () => {
        clearInterval(more);
        isClosed = true;
      });
    });
    await world.publish(statusEvents(randomUUID(), 1, 1, "endless"));

    await eventually(() => isClosed);
    await pause();
    expect(world.sink.received(path)).toHaveLength(1);
  });

  it("sends nothing more to an endpoint that is gone", async () => {
    const tenant = "gone";
    await world.subscribe(path, tenant);
    world.sink.respond(path, (_received, response) => response.writeHead(410).end());
    await world.publish(statusEvents(randomUUID(), 1, 3, tenant));
    await arrived(1);
    await pause();

    await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await pause();

    expect(world.sink.received(path)).toHaveLength(1);
  });

  it("gives up what is undelivered when its subscription is deleted", async () => {
    const tenant = "deleted";
    const subscriptionId = await world.subscribe(path, tenant);
    world.sink.respond(path, (_received, response) => response.writeHead(500).end());
    await world.publish(statusEvents(randomUUID(), 1, 3, tenant));
    await arrived(1);
    await world.webhook.deleteSubscription({ tenant, subscriptionId });

    const queues = world.mongo.connection.collection<{ _id: string }>("queues");
    await eventually(async () => (await queues.countDocuments({ _id: subscriptionId })) === 0);

    expect(world.sink.received(path)).toHaveLength(1);
  });

  it("never uses a replaced secret for what begins after the reply of its rotation", async () => {
    const tenant = "rotation";
    const subscriptionId = await world.subscribe(path, tenant);
    let { signingSecret: present } = await world.webhook.rotateSecret({ tenant, subscriptionId });
    const received = (id: string) => world.sink.received(path).find(({ body }) => body.includes(id));
    const signedWith = (id: string, secrets: readonly string[]): boolean =>
      secrets.some((secret) => {
        const one = received(id);
        return one !== undefined && verifiedTime(one, secret) !== undefined;
      });

    for (let round = 0; round < rotations; round += 1) {
      const [racing, later] = [randomUUID(), randomUUID()];
      const replaced = present;
      const [rotated] = await Promise.all([
        world.webhook.rotateSecret({ tenant, subscriptionId }),
        world.publish(statusEvents(racing, 1, 1, tenant)),
      ]);
      present = rotated.signingSecret;
      await world.publish(statusEvents(later, 1, 1, tenant));
      await eventually(() => received(racing) !== undefined && received(later) !== undefined);

      expect(signedWith(racing, [replaced, present])).toBe(true);
      expect(signedWith(later, [present])).toBe(true);
    }

    await world.webhook.deleteSecret({ tenant, subscriptionId });
    const unsigned = randomUUID();
    await world.publish(statusEvents(unsigned, 1, 1, tenant));
    await eventually(() => received(unsigned) !== undefined);
    expect(received(unsigned)?.headers["x-service-signature"]).toBeUndefined();
    expect(received(unsigned)?.headers["webhook-signature"]).toBeUndefined();
  });

  it("signs what waited for its turn with the secret of the time when it begins", async () => {
    const tenant = "turns";
    const subscriptionId = await world.subscribe(path, tenant);
    await world.webhook.rotateSecret({ tenant, subscriptionId });
    const held: (() => void)[] = [];
    world.sink.respond(path, (_received, response) => {
      held.push(() => response.writeHead(200).end());
    });
    for (let index = 0; index < 8; index += 1) await world.publish(statusEvents(randomUUID(), 1, 1, tenant));
    await arrived(8);
    const last = randomUUID();
    await world.publish(statusEvents(last, 1, 1, tenant));
    await pause();

    const { signingSecret } = await world.webhook.rotateSecret({ tenant, subscriptionId });
    world.sink.respond(path, (_received, response) => response.writeHead(200).end());
    for (const end of held) end();
    await arrived(9);

    const [received] = world.sink.received(path).filter(({ body }) => body.includes(last));
    expect(received === undefined ? undefined : verifiedTime(received, signingSecret)).toBeDefined();
  });

  it("keeps other endpoints going while one hangs", async () => {
    const tenant = "hanging";
    await world.subscribe(`${path}/hangs`, tenant);
    await world.subscribe(path, tenant);
    const hanging: (() => void)[] = [];
    let [open, most] = [0, 0];
    world.sink.respond(`${path}/hangs`, (_received, response) => {
      open += 1;
      most = Math.max(most, open);
      response.once("close", () => (open -= 1));
      hanging.push(() => response.writeHead(200).end());
    });
    for (let index = 0; index < 30; index += 1) await world.publish(statusEvents(randomUUID(), 1, 1, tenant));

    await arrived(30);

    // At most eight attempts at one endpoint are in flight.
    expect(most).toBeLessThanOrEqual(8);
    world.sink.respond(`${path}/hangs`, (_received, response) => response.writeHead(200).end());
    for (const answer of hanging) answer();
    // One that was given up after ten seconds comes again.
    await eventually(() => new Set(world.sink.received(`${path}/hangs`).map(({ body }) => body)).size === 30);
  });
});
