import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { makeHttpSender } from "../../../services/webhook/sending/http-sender";
import { makeResolve } from "../../../services/webhook/sending/resolver";
import { eventually } from "../bus/bus-ground";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { startWebhookWorld, statusEvents, statusesAt, type WebhookWorld } from "./webhook-world";

const events = 20 * Number(process.env["RANDOM_FACTOR"] ?? "1");
const tenants = ["t-0", "t-1", "t-2", "t-3", "t-4"];
const endpointsPerTenant = 10;
const hugeAnswer = 100 * 1_024 * 1_024;
const megabyte = 1_024 * 1_024;

/** What is wrong with the endpoints of the first tenant. */
const hostile: Record<string, (response: ServerResponse, elsewhere: string) => void> = {
  "/hangs": () => {},
  "/drips": (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write("."), 1_000);
    response.once("close", () => clearInterval(drip));
  },
  "/resets": (response) => response.socket?.destroy(),
  "/fails": (response) => response.writeHead(500).end(),
  "/floods": (response) => {
    response.writeHead(200, { "content-length": hugeAnswer });
    const chunk = Buffer.alloc(64 * 1_024);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  },
  "/redirects": (response, elsewhere) => response.writeHead(307, { location: elsewhere }).end(),
};

describe("hostile endpoints", () => {
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

  it("keep none of forty-four healthy ones waiting, and cost little memory", async () => {
    const bad = Object.keys(hostile);
    const healthy: { tenant: string; path: string }[] = [];
    for (const tenant of tenants) {
      for (let index = 0; index < endpointsPerTenant; index += 1) {
        const path = (tenant === tenants[0] ? bad[index] : undefined) ?? `/${tenant}/${index}`;
        const act = hostile[path];
        if (act === undefined) healthy.push({ tenant, path });
        else world.sink.respond(path, (_received, response) => act(response, world.sink.url("/elsewhere")));
        await world.subscribe(path, tenant);
      }
    }
    const ids = new Map(tenants.map((tenant) => [tenant, Array.from({ length: events }, () => randomUUID())]));
    await world.stopService();
    await service.start();
    // What a process grows by with its first work is not what hostile answers cost.
    await world.publish(statusEvents(randomUUID(), 1, 10, tenants[1]));
    await eventually(() =>
      healthy.every(({ tenant, path }) => tenant !== tenants[1] || world.sink.received(path).length === 10),
    );
    const rssBefore = await service.residentBytes();
    const begunAt = performance.now();

    for (let index = 0; index < events; index += 1) {
      for (const tenant of tenants) await world.publish(statusEvents(ids.get(tenant)?.[index] ?? "", 1, 2, tenant));
    }
    // A machine with much else to do lets attempts run out of time, which repeats them.
    const distinctAt = (path: string): number =>
      new Set(world.sink.received(path).map(({ headers }) => headers["x-service-event-id"])).size;
    const isDone = ({ tenant, path }: { tenant: string; path: string }): boolean =>
      distinctAt(path) === 2 * events + (tenant === tenants[1] ? 10 : 0);
    await eventually(() => healthy.every(isDone), 120_000);
    const hung = world.sink.received("/hangs").length;
    const seconds = (performance.now() - begunAt) / 1_000;

    for (const { tenant, path } of healthy) {
      for (const id of ids.get(tenant) ?? [])
        expect([...new Set(statusesAt(world.sink, path, id))]).toEqual(["S1", "S2"]);
    }
    // What hangs does so for ten seconds an attempt, eight at a time.
    expect(hung).toBeLessThanOrEqual(8 * (Math.floor(seconds / 9.9) + 1));
    expect(world.sink.received("/elsewhere")).toHaveLength(0);
    expect((await service.residentBytes()) - rssBefore).toBeLessThan(64 * megabyte);
    const deliveries = world.mongo.connection.collection("deliveries");
    expect(await deliveries.countDocuments({ state: "delivered", lastStatus: { $ne: 200 } })).toBe(0);
    // An answer of 200 counts although the rest of it is never read.
    await eventually(() => world.sink.received("/floods").length >= 2 * events, 60_000);
  }, 240_000);

  it("that do not answer are given ten seconds", async () => {
    const sender = makeHttpSender({
      resolve: makeResolve(),
      reach: "public and loopback",
      extraCa: world.config.WEBHOOK_CA_FILE,
    });
    const attempt = { eventId: "e", sequence: 1, attempt: 1, body: "{}", keys: undefined, traceparent: undefined };

    const answers = await Promise.all(
      ["/hangs", "/drips", "/resets", "/redirects"].map((path) =>
        sender.send({ ...attempt, url: world.sink.url(path) }),
      ),
    );

    expect(answers.map(({ status, failure }) => status ?? failure)).toEqual(["timeout", 200, "connection", 307]);
    for (const { durationMs } of answers.slice(0, 2)) {
      expect(durationMs).toBeGreaterThan(9_900);
      expect(durationMs).toBeLessThan(25_000);
    }
    await sender.stop();
  });
});
