import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { makeHttpSender } from "../../../services/webhook/adapters/http/http-sender";
import { makeResolve } from "../../../services/webhook/adapters/http/resolver";
import { quickPlan } from "../../../services/webhook/domain/retry-plan";
import { eventually } from "../bus/bus-testbed";
import type { Received } from "./sink";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { isDelivered, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const eventsPerSecond = 500;
const calmSeconds = 3;
const hostileSeconds = Math.min(30, 6 * Number(process.env["RANDOM_FACTOR"] ?? "1"));
const endpoints = 50;
const eventsPerTransaction = 5;
/** On a machine that does much else the next event waits while so many are on their way to healthy endpoints. */
const mostOnTheWay = 250;
/** Attempts at one endpoint at a time; each at one that hangs or drips takes ten seconds. */
const mostAtATime = 8;
const hugeAnswer = 100 * 1_024 * 1_024;
const megabyte = 1_024 * 1_024;

/** What is wrong with the first endpoints. */
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

/** One endpoint, whose tenant has no other. */
const paths = Array.from({ length: endpoints }, (_, index) => Object.keys(hostile)[index] ?? `/healthy/${index}`);
const healthy = paths.filter((path) => hostile[path] === undefined);
const tenantOf = (path: string): string => `t-${paths.indexOf(path)}`;

const bodyOf = ({ body }: Received) =>
  JSON.parse(body) as { transactionId: string; newStatus: string; newStatusMessages: [string] };
const eventIdOf = ({ headers }: Received): string => String(headers["x-service-event-id"]);

describe("hostile endpoints", () => {
  let world: WebhookWorld;
  let service: WebhookProcess;
  /** Ids of events that came to healthy endpoints. */
  const arrived = new Set<string>();
  let sent = 0;

  beforeAll(async () => {
    world = await startWebhookWorld();
    service = await makeWebhookProcess(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.stop();
  });

  /** Publishes at the full rate, one event after the other for each endpoint in turn, and says how many each gets. */
  const publishFor = async (seconds: number): Promise<number> => {
    const perEndpoint = Math.ceil((seconds * eventsPerSecond) / endpoints);
    const ids = new Map<string, string>();
    const publishing: Promise<unknown>[] = [];
    const begunAt = performance.now();
    while (publishing.length < perEndpoint * endpoints) {
      const due = Math.min(perEndpoint * endpoints, ((performance.now() - begunAt) / 1_000) * eventsPerSecond);
      while (publishing.length < due && sent - arrived.size < mostOnTheWay) {
        const path = paths[publishing.length % endpoints] ?? "";
        const tenant = tenantOf(path);
        if (hostile[path] === undefined) sent += 1;
        const sequence = (Math.floor(publishing.length / endpoints) % eventsPerTransaction) + 1;
        if (sequence === 1) ids.set(tenant, randomUUID());
        const message = statusEvents(ids.get(tenant) ?? "", sequence, sequence, tenant);
        const events = message.events.map((event) => ({ ...event, messages: [String(Date.now())] }));
        publishing.push(world.publish({ ...message, events }));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(publishing);
    return perEndpoint;
  };
  const distinctAt = (path: string): number => new Set(world.sink.received(path).map(eventIdOf)).size;
  /** The time, in milliseconds, within which 99 of 100 events came to healthy endpoints behind the first so many. */
  const p99 = (behind: number): number => {
    const lags = healthy.flatMap((path) => {
      const firsts = new Map(
        world.sink
          .received(path)
          .toReversed()
          .map((one) => [eventIdOf(one), one]),
      );
      const inOrder = [...firsts.values()].toSorted((one, other) => one.at - other.at).slice(behind);
      return inOrder.map((one) => one.at - Number(bodyOf(one).newStatusMessages[0]));
    });
    return lags.toSorted((one, other) => one - other)[Math.floor(lags.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  };
  const spoil = (): void => {
    for (const [path, act] of Object.entries(hostile)) {
      world.sink.respond(path, (_received, response) => act(response, world.sink.url("/elsewhere")));
    }
  };
  /** Fails when an attempt came before its time. */
  const expectPlanFollowed = (path: string): void => {
    const attempts = Map.groupBy(world.sink.received(path), eventIdOf);
    for (const [, made] of attempts) {
      const numbers = made.map(({ headers }) => Number(headers["x-service-delivery-attempt"]));
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
      for (const [index, { at }] of made.entries()) {
        const [before, number = 0] = [made[index - 1], numbers[index]];
        if (before === undefined || numbers[index - 1] !== number - 1) continue;
        expect(at - before.at).toBeGreaterThanOrEqual(0.8 * (quickPlan.delaysMs[number - 1] ?? 0) - 1);
      }
    }
  };

  it("keep none of forty-four healthy ones waiting at 500 events a second, and cost little memory", async () => {
    for (const path of paths) await world.subscribe(path, tenantOf(path));
    for (const path of healthy) {
      world.sink.respond(path, (received, response) => {
        arrived.add(eventIdOf(received));
        response.writeHead(200).end();
      });
    }
    await world.stopService();
    await service.start();
    // Also: what a process grows by with its first work is not what hostile answers cost.
    const calm = await publishFor(calmSeconds);
    await eventually(() => paths.every((path) => distinctAt(path) === calm), 60_000);
    const calmMs = p99(0);
    spoil();
    const rssBefore = await service.residentBytes();
    let rssMost = rssBefore;
    const look = async (): Promise<void> => {
      rssMost = Math.max(rssMost, await service.residentBytes());
    };
    const watching = setInterval(() => void look(), 250);
    const begunAt = performance.now();

    const total = calm + (await publishFor(hostileSeconds));
    // A machine with much else to do lets attempts run out of time, which repeats them.
    await eventually(() => healthy.every((path) => distinctAt(path) === total), 120_000);
    clearInterval(watching);
    const mostAttempts = mostAtATime * (Math.floor((performance.now() - begunAt) / 9_900) + 1);
    for (const path of ["/hangs", "/drips"]) {
      expect(world.sink.received(path).length - calm).toBeLessThanOrEqual(mostAttempts);
    }

    // Behind one that hangs it would be ten seconds and more; the benchmark says what it is on a machine at rest.
    expect(p99(calm)).toBeLessThanOrEqual(Math.max(5_000, 10 * calmMs));
    expect((rssMost - rssBefore) / megabyte).toBeLessThanOrEqual(64);
    for (const path of healthy) {
      const statuses = Map.groupBy(world.sink.received(path).map(bodyOf), ({ transactionId }) => transactionId);
      for (const [, told] of statuses) {
        const firsts = [...new Set(told.map(({ newStatus }) => newStatus))];
        expect(firsts).toEqual(firsts.toSorted());
      }
    }
    for (const path of ["/resets", "/fails", "/redirects"]) expectPlanFollowed(path);
    expect(world.sink.received("/elsewhere")).toHaveLength(0);
    const deliveries = world.mongo.connection.collection("deliveries");
    expect(await deliveries.countDocuments({ ...isDelivered, lastStatus: { $ne: 200 } })).toBe(0);
    // An answer of 200 counts although the rest of it is never read.
    await eventually(() => distinctAt("/floods") === total, 60_000);
  }, 300_000);

  it("that do not answer are given ten seconds", async () => {
    spoil();
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
      expect(durationMs).toBeLessThan(19_000);
    }
    await sender.stop();
  });
});
