import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, startAccessWorld, type TestTenant } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const third = makeTenant("third");
const fourth = makeTenant("fourth");
const guessed = makeTenant("guessed");

describe("rate limits", () => {
  let world: AccessWorld;

  beforeAll(async () => {
    const tenants = [demo, other, third, guessed, fourth];
    world = await startAccessWorld({ tenants, gateway: { RATE_LIMIT_FACTOR: "1" } });
  });
  afterAll(() => world.stop());

  /** A write whose body has the wrong type: it costs nothing behind the gateway. */
  const write = ({ tenant, apiKey }: TestTenant, port = world.gateway.port ?? 0): Promise<HttpAnswer> =>
    httpCall(port, `/organizations/${tenant}/webhooks`, { method: "POST", headers: { "x-api-key": apiKey } });
  const read = ({ apiKey }: TestTenant): Promise<HttpAnswer> =>
    world.call("/organizations/nobody/webhooks", { headers: { "x-api-key": apiKey } });

  /** Sends through several gateways, many at once, for some seconds; answers how many were let through. */
  async function flood(send: (port: number) => Promise<HttpAnswer>, ports: readonly number[], seconds: number) {
    const end = performance.now() + seconds * 1_000;
    let [allowed, refused] = [0, 0];
    const worker = async (index: number): Promise<void> => {
      while (performance.now() < end) {
        const { status } = await send(ports[index % ports.length] ?? 0);
        if (status === 429) refused += 1;
        else allowed += 1;
        if (status === 429) await sleep(5);
      }
    };
    const startMs = performance.now();
    await Promise.all(Array.from({ length: 24 }, (_unused, index) => worker(index)));
    return { allowed, refused, seconds: (performance.now() - startMs) / 1_000 };
  }

  it("tell what is left, and refuse with RL_001 and Retry-After what is over", async () => {
    const first = await write(demo);
    expect(first.status).toBe(415);
    expect(first.headers).toMatchObject({ "ratelimit-limit": "100" });
    expect(Number(first.headers["ratelimit-remaining"])).toBeLessThan(100);

    const answers = await Promise.all(Array.from({ length: 900 }, () => write(demo)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ json: { code: "RL_001", details: { limitPerSecond: 50 } } });
    expect(refused[0]?.headers).toMatchObject({ "retry-after": "1", "ratelimit-remaining": "0" });
    expect(refused[0]?.headers["ratelimit-reset"]).toMatch(/^[1-9]\d*$/);
  });

  it("count reads and writes apart, and every caller by itself", async () => {
    const writes = Promise.all(Array.from({ length: 900 }, () => write(demo)));
    const [readAnswer, otherAnswer] = [await read(demo), await write(other)];

    expect((await writes).some(({ status }) => status === 429)).toBe(true);
    expect(readAnswer.status).toBe(404);
    expect(otherAnswer.status).toBe(415);
  });

  it("let two replicas together admit at most 110 % of the limit, and at least most of it", async () => {
    const second = await world.startGateway();
    const ports = [world.gateway.port ?? 0, second.port ?? 0];

    const writes = await flood((port) => write(third, port), ports, 6);
    const writeLimit = 100 + 50 * writes.seconds;
    expect(writes.allowed).toBeLessThanOrEqual(writeLimit * 1.1);
    // A machine too slow to reach the limit shows only that it is not passed.
    if (writes.refused > 0) expect(writes.allowed).toBeGreaterThanOrEqual(writeLimit * 0.7);

    const tokens = await flood((port) => world.requestToken(third, {}, port), ports, 6);
    const tokenLimit = 10 + 5 * tokens.seconds;
    expect(tokens.refused).toBeGreaterThan(0);
    expect(tokens.allowed).toBeLessThanOrEqual(tokenLimit * 1.1);
    expect(tokens.allowed).toBeGreaterThanOrEqual(tokenLimit * 0.7);
  });

  it("give a caller that waited its share again", async () => {
    const answers = await Promise.all(Array.from({ length: 900 }, () => write(fourth)));
    expect(answers.some(({ status }) => status === 429)).toBe(true);

    const again = await until(
      () => write(fourth),
      ({ status }) => status !== 429,
    );
    expect(again.status).toBe(415);
  });

  it("hold at the token endpoint per client, in the form of RFC 6749", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => world.requestToken(other)));
    const refused = answers.filter(({ status }) => status === 429);

    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ json: { error: "temporarily_unavailable" } });
    expect(refused[0]?.headers).toMatchObject({ "retry-after": "1", "cache-control": "no-store" });
    expect((await world.requestToken(third)).status).toBe(200);
  });

  it("shut out who guesses secrets after 20 failures, also with the right one", async () => {
    const statuses: number[] = [];
    while (statuses.length < 60 && statuses.at(-1) !== 429) {
      const { status } = await world.requestToken(guessed, { secret: demo.clientSecret });
      if (status === 429 && statuses.filter((one) => one === 401).length < 20) await sleep(400);
      else statuses.push(status);
    }

    expect(statuses.filter((status) => status === 401).length).toBe(20);
    const right = await world.requestToken(guessed);
    expect(right.status).toBe(429);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(1);
  });
});

describe("a gateway whose auth service is away", () => {
  it("keeps the limits by itself", async () => {
    const world = await startAccessWorld({ tenants: [demo], gateway: { RATE_LIMIT_FACTOR: "1" } });
    const token = await world.tokenOf(demo);
    const read = () => world.call("/bank", { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(400);
    await world.stopAuth();

    const startMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 600 }, read));
    const limit = 200 + (100 * (performance.now() - startMs)) / 1_000;

    const allowed = answers.filter(({ status }) => status === 400).length;
    expect(answers.filter(({ status }) => status === 429).length).toBe(600 - allowed);
    expect(allowed).toBeLessThanOrEqual(limit * 1.1);
    expect(allowed).toBeGreaterThanOrEqual(Math.min(limit, 600) * 0.7);
    await world.stop();
  });
});

describe("a gateway that has too much to do", () => {
  it("turns requests away before it looks at them", async () => {
    const world = await startAccessWorld({ tenants: [demo], gateway: { GATEWAY_MAX_IN_FLIGHT: "1" } });
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.requestToken(demo)));

    const shed = answers.filter(({ status }) => status === 503);
    expect(shed.length).toBeGreaterThan(0);
    expect(shed[0]?.headers["retry-after"]).toBe("1");
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect((await world.call("/healthz")).status).toBe(200);
    await world.stop();
  });
});
