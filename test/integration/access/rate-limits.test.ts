import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { uncalledTable } from "../../support/declared-access";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, startAccessWorld, type TestTenant } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const third = makeTenant("third");
const fourth = makeTenant("fourth");
const fifth = makeTenant("fifth");
const sixth = makeTenant("sixth");
const guessed = makeTenant("guessed");

/** Sends requests whose bodies never come; those that are not refused hold a place until all are dropped. */
async function holdPlaces(ports: readonly number[], { tenant, apiKey }: TestTenant, count: number) {
  const refused: { status: number | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const headers = { "x-api-key": apiKey, "content-type": "application/json", "content-length": "10" };
  const path = `/organizations/${tenant}/webhooks/w/recover`;
  const sent = Array.from({ length: count }, (_unused, index) => {
    const port = ports[index % ports.length];
    const call = request({ host: "127.0.0.1", port, agent: false, path, method: "POST", headers });
    call.on("error", () => {});
    call.on("response", (response) => {
      const { statusCode: status, headers: received } = response;
      void text(response).then(
        (body) => refused.push({ status, headers: received, body }),
        () => {},
      );
    });
    call.flushHeaders();
    return call;
  });
  await until(
    () => Promise.resolve(refused.length),
    (answers) => answers >= count - 64,
    5_000,
  );
  await sleep(200);
  const places = count - refused.length;
  for (const call of sent) call.destroy();
  return { places, refused };
}

describe("rate limits", () => {
  let world: AccessWorld;
  /** Of two replicas. */
  let ports: number[];

  beforeAll(async () => {
    const tenants = [demo, other, third, guessed, fourth, fifth, sixth];
    world = await startAccessWorld({ tenants, gateway: { RATE_LIMIT_FACTOR: "1" } });
    ports = [world.gateway.port ?? 0, (await world.startGateway()).port ?? 0];
  });
  afterAll(() => world.stop());

  /** A write whose body has the wrong type: it costs nothing behind the gateway. */
  const write = ({ tenant, apiKey }: TestTenant, port = world.gateway.port ?? 0): Promise<HttpAnswer> =>
    httpCall(port, `/organizations/${tenant}/webhooks/w/recover`, { method: "POST", headers: { "x-api-key": apiKey } });
  const read = ({ apiKey }: TestTenant): Promise<HttpAnswer> =>
    world.call("/organizations/nobody/webhooks", { headers: { "x-api-key": apiKey } });

  /**
   * Sends through several gateways, many at once, for some seconds, and a bit longer while none was refused; answers how
   * many were let through.
   */
  async function flood(send: (port: number) => Promise<HttpAnswer>, ports: readonly number[], seconds: number) {
    const end = performance.now() + seconds * 1_000;
    let [allowed, refused] = [0, 0];
    const worker = async (index: number): Promise<void> => {
      while (performance.now() < end + (refused === 0 ? 20_000 : 0)) {
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

  /**
   * Waits as Retry-After says when it is refused: its secret was not looked at then, so that each of its connections counts
   * against its address, and one that goes on takes from all others of the address the connections that they need.
   */
  async function askForToken(port: number): Promise<HttpAnswer> {
    const answer = await world.requestToken(third, {}, port);
    await sleep(Number(answer.headers["retry-after"] ?? 0) * 1_000);
    return answer;
  }

  /** A new agent that is refused for its content, if it is let through at all. */
  const addAgent = ({ tenant, apiKey }: TestTenant): Promise<HttpAnswer> =>
    world.call(`/organizations/${tenant}/agents`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: "{}",
    });

  it("tell what is left, and refuse with RL_001 and Retry-After what is over", async () => {
    const first = await write(demo);
    expect(first.status).toBe(415);
    expect(first.headers).toMatchObject({ "ratelimit-limit": "100" });
    expect(Number(first.headers["ratelimit-remaining"])).toBeLessThan(100);

    const answers: HttpAnswer[] = [];
    while (answers.length < 12 && answers.at(-1)?.status !== 429) answers.push(await addAgent(demo));
    const refused = answers.at(-1);
    expect(answers[0]).toMatchObject({ status: 400, headers: { "ratelimit-limit": "5", "ratelimit-remaining": "4" } });
    expect(answers.length).toBeGreaterThanOrEqual(6);
    expect(refused).toMatchObject({ status: 429, json: { code: "RL_001", details: { limitPerSecond: 5 / 60 } } });
    expect(refused?.headers).toMatchObject({ "ratelimit-limit": "5", "ratelimit-remaining": "0" });
    expect(refused?.headers["retry-after"]).toMatch(/^([1-9]|1[0-2])$/);
    expect(refused?.headers["ratelimit-reset"]).toMatch(/^[1-9]\d*$/);
  });

  it("count kinds of requests apart, and every tenant by itself", async () => {
    expect(await addAgent(demo)).toMatchObject({ status: 429 });

    expect((await write(demo)).status).toBe(415);
    expect((await read(demo)).status).toBe(404);
    expect((await addAgent(other)).status).toBe(400);
  });

  it("let two replicas together admit at most 110 % of the limit, and at least most of it", async () => {
    const writes = await flood((port) => write(third, port), ports, 6);
    const writeLimit = 100 + 50 * writes.seconds;
    expect(writes.allowed).toBeLessThanOrEqual(writeLimit * 1.1);
    // A machine too slow to reach the limit shows only that it is not passed.
    if (writes.refused > 0) expect(writes.allowed).toBeGreaterThanOrEqual(writeLimit * 0.5);

    const tokens = await flood(askForToken, ports, 6);
    const tokenLimit = 10 + 5 * tokens.seconds;
    expect(tokens.refused).toBeGreaterThan(0);
    expect(tokens.allowed).toBeLessThanOrEqual(tokenLimit * 1.1);
    expect(tokens.allowed).toBeGreaterThanOrEqual(tokenLimit * 0.5);
  });

  it.each<[string, string, number, number]>([
    ["POST /v2/payment", "bearer", 50, 25],
    ["POST /v2/check-card-account", "bearer", 10, 5],
    ["POST /organizations/fifth/agents", "tenant", 5, 5 / 60],
    ["POST /organizations/fifth/webhooks/w/secret", "agent", 5, 5 / 60],
    ["DELETE /organizations/fifth/webhooks/w", "tenant", 30, 30 / 60],
  ])("hold for %s over both replicas, whichever credential of the tenant is used", async (name, kind, burst, rate) => {
    const [method = "", path = ""] = name.split(" ");
    const json = { "content-type": "application/json" };
    const token = kind === "bearer" ? await world.tokenOf(fifth) : "";
    const [one, , two] = fifth.agents;
    let count = 0;
    const headers = (): Record<string, string> => {
      count += 1;
      if (kind === "bearer") return { ...json, authorization: `Bearer ${token}` };
      const agent = count % 2 === 0 ? one : two;
      const keys = { ...json, "x-api-key": fifth.apiKey };
      return kind === "tenant" ? keys : { ...keys, "x-agent-id": agent.agentId, "x-agent-api-key": agent.apiKey };
    };
    const send = (port: number): Promise<HttpAnswer> =>
      httpCall(port, path, { method, headers: headers(), body: "{}" });

    const seen = await flood(send, ports, 3);

    const limit = burst + rate * seen.seconds;
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.allowed).toBeLessThanOrEqual(limit * 1.1);
    expect(seen.allowed).toBeGreaterThanOrEqual(Math.min(5, limit * 0.7));
  });

  it("are there for everything that a tenant can have recorded call by call", () => {
    const recorded = uncalledTable.filter(({ isPrivileged, method }) => isPrivileged === true && method !== "GET");

    expect(recorded.length).toBeGreaterThan(0);
    expect(recorded.filter(({ limit }) => limit === undefined).map(({ path }) => path)).toEqual([]);
  });

  it("let a tenant have 64 requests in flight over both replicas, and then others again", async () => {
    const held = await until(
      async () => {
        await sleep(3_000);
        return holdPlaces(ports, sixth, 90);
      },
      ({ places, refused }) => places <= 64 * 1.1 && refused.every(({ body }) => body.includes("limitInFlight")),
      120_000,
    );

    expect(held.places).toBeGreaterThanOrEqual(32);
    expect(held.places).toBeLessThanOrEqual(64 * 1.1);
    expect(held.refused[0]).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect(JSON.parse(held.refused[0]?.body ?? "")).toMatchObject({ code: "RL_001", details: { limitInFlight: 32 } });
    const again = await until(
      () => write(sixth),
      ({ status }) => status !== 429,
    );
    expect(again.status).toBe(415);
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

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
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
    // What flows in while no request can come yet is lost above the burst.
    expect(allowed).toBeGreaterThanOrEqual(200 * 0.7);
    await world.stop();
  });
});

describe("a gateway that has too much to do", () => {
  it("turns requests away before it does their work", async () => {
    const world = await startAccessWorld({ tenants: [demo], gateway: { GATEWAY_MAX_IN_FLIGHT: "1" } });
    const create = (index: number) =>
      world.call("/organizations/demo/agents", {
        method: "POST",
        headers: { "x-api-key": demo.apiKey, "content-type": "application/json" },
        body: JSON.stringify({ email: `agent-${index}@example.com`, businessName: "Agent" }),
      });
    const answers = await Promise.all(Array.from({ length: 50 }, (_one, index) => create(index)));

    const shed = answers.filter(({ status }) => status === 503);
    expect(shed.length).toBeGreaterThan(0);
    expect(shed[0]?.headers["retry-after"]).toBe("1");
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(0);
    expect((await world.call("/healthz")).status).toBe(200);
    await world.stop();
  });
});
