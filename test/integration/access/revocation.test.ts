import { createServer, connect as openSocket, type Socket } from "node:net";
import type { Gateway } from "../../../gateway/app";
import type { Clock } from "../../../services/shared/kernel/clock";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const closing = makeTenant("closing");
const secretive = makeTenant("secretive");
const brief = makeTenant("brief");

/** Time of business: an hour behind, which no wait for an answer may depend on. */
const startMs = Date.now() - 3_600_000;

/** For a gateway nothing ages that it keeps, unless its time is moved on. */
function stoppedClock(): Clock & { advance(seconds: number): void } {
  let nowMs = startMs;
  const advance = (seconds: number): void => {
    nowMs += seconds * 1_000;
  };
  return { now: () => new Date(nowMs), advance };
}

/** A way to the bus that can be cut. */
async function startCable(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = openSocket(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => [near, far].map((end) => end.destroy()));
    }
    if (isCut) near.destroy();
    else near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      isCut = false;
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("what an operator takes away", () => {
  let world: AccessWorld;
  let gateways: readonly Gateway[];
  const clock = stoppedClock();

  beforeAll(async () => {
    world = await startAccessWorld({ tenants: [demo, other, closing, secretive, brief], overrides: { clock } });
    const { port: second } = await world.startAuthReplica();
    gateways = [
      await world.startGateway({}, clock),
      await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${second}` }, clock),
    ];
  });
  afterAll(() => world.stop());

  const keysOf = (tenant: ReturnType<typeof makeTenant>, agent = tenant.agents[0]) => ({
    "x-api-key": tenant.apiKey,
    "x-agent-id": agent.agentId,
    "x-agent-api-key": agent.apiKey,
  });
  /** An agent's call: 503 when it is let in, since the service behind is away. */
  const asAgent = (gateway: Gateway, headers: Record<string, string>): Promise<HttpAnswer> =>
    httpCall(gateway.port ?? 0, "/reference/destinations", { headers });
  const withToken = (gateway: Gateway, token: string): Promise<HttpAnswer> =>
    httpCall(gateway.port ?? 0, "/schema/BRA", { headers: { authorization: `Bearer ${token}` } });
  const everywhere = async (call: (gateway: Gateway) => Promise<HttpAnswer>): Promise<number[]> =>
    Promise.all(gateways.map(async (gateway) => (await call(gateway)).status));
  /** Well before what is kept would be read again by itself; a machine that does much else is slow. */
  const soon = <T>(ask: () => Promise<T>, isRight: (value: T) => boolean) => until(ask, isRight, 8_000);
  const all = (status: number) => (statuses: number[]) => statuses.every((one) => one === status);

  it("is an agent's access, in every gateway", async () => {
    const call = (gateway: Gateway) => asAgent(gateway, keysOf(demo));
    expect(await everywhere(call)).toEqual([503, 503]);
    const path = `/tenants/demo/agents/${demo.agents[0].agentId}/status`;

    expect((await world.operate("PUT", path, { status: "SUSPENDED" })).status).toBe(200);

    expect(await soon(() => everywhere(call), all(403))).toEqual([403, 403]);
    expect((await world.operate("PUT", path, { status: "ACTIVE" })).status).toBe(200);
    expect(await soon(() => everywhere(call), all(503))).toEqual([503, 503]);
  });

  it("is an API key, in every gateway", async () => {
    const call = (gateway: Gateway) => asAgent(gateway, keysOf(other));
    expect(await everywhere(call)).toEqual([503, 503]);
    const id = other.apiKey.split("_")[2] ?? "";

    expect((await world.operate("DELETE", `/tenants/other/credentials/${id}`)).status).toBe(204);

    expect(await soon(() => everywhere(call), all(401))).toEqual([401, 401]);
  });

  it("is a client with its tokens, in every gateway", async () => {
    const token = await world.tokenOf(demo);
    const call = (gateway: Gateway) => withToken(gateway, token);
    expect(await everywhere(call)).toEqual([503, 503]);

    await world.operate("PATCH", "/tenants/demo/clients/demo-client", { isDisabled: true });

    expect(await soon(() => everywhere(call), all(401))).toEqual([401, 401]);
    await world.operate("PATCH", "/tenants/demo/clients/demo-client", { isDisabled: false });
    expect(await soon(() => everywhere(call), all(503))).toEqual([503, 503]);
  });

  it("is an access token that its client gives back, in every gateway, and no other token", async () => {
    const [token, kept] = [await world.tokenOf(other), await world.tokenOf(other)];
    const call = (gateway: Gateway) => withToken(gateway, token);
    expect(await everywhere(call)).toEqual([503, 503]);
    const revoke = (text: string, tenant = other, secret = tenant.clientSecret) =>
      httpCall(gateways[1]?.port ?? 0, "/oauth/revoke", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ token: text, client_id: tenant.clientId, client_secret: secret }).toString(),
      });

    expect(await revoke(token, demo)).toMatchObject({ status: 400, json: { error: "invalid_request" } });
    expect(await revoke(token, other, "wrong")).toMatchObject({ status: 401, json: { error: "invalid_client" } });
    expect(await revoke("")).toMatchObject({ status: 400, json: { error: "invalid_request" } });
    expect(await everywhere(call)).toEqual([503, 503]);
    // A second time, and one that never was a token, are as good.
    for (const text of [token, token, `${token}x`, "nonsense"]) expect((await revoke(text)).status).toBe(200);

    expect(await soon(() => everywhere(call), all(401))).toEqual([401, 401]);
    expect(await everywhere((gateway) => withToken(gateway, kept))).toEqual([503, 503]);
  });

  it("is a client's secret, in every auth service", async () => {
    const call = (gateway: Gateway) => world.requestToken(secretive, {}, gateway.port);
    expect(await everywhere(call)).toEqual([200, 200]);
    const id = secretive.clientSecret.split("_")[2] ?? "";

    expect((await world.operate("DELETE", `/tenants/secretive/credentials/${id}`)).status).toBe(204);

    expect(await soon(() => everywhere(call), all(401))).toEqual([401, 401]);
  });

  it("is everything of a tenant that is closed, in every gateway", async () => {
    const token = await world.tokenOf(closing);
    const byToken = (gateway: Gateway) => withToken(gateway, token);
    const byKey = (gateway: Gateway) => asAgent(gateway, keysOf(closing));
    expect([...(await everywhere(byToken)), ...(await everywhere(byKey))]).toEqual([503, 503, 503, 503]);

    await world.operate("PATCH", "/tenants/closing", { isDisabled: true });

    expect(await soon(() => everywhere(byToken), all(401))).toEqual([401, 401]);
    expect(await soon(() => everywhere(byKey), all(401))).toEqual([401, 401]);
  });

  it("is a signing key with the tokens that it signed, in every gateway", async () => {
    const token = await world.tokenOf(demo);
    const call = (gateway: Gateway) => withToken(gateway, token);
    expect(await everywhere(call)).toEqual([503, 503]);
    const kid = /"kid":"([^"]+)"/.exec(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())?.[1] ?? "";
    await world.operate("POST", "/signing-keys");

    expect((await world.operate("DELETE", `/signing-keys/${kid}`)).status).toBe(204);

    expect(await soon(() => everywhere(call), all(401))).toEqual([401, 401]);
  });

  it("is gone for the next request to the gateway that took it away, even while its bus is away", async () => {
    const lost = await world.startGateway({ NATS_URL: "nats://127.0.0.1:9" }, stoppedClock());
    const operate = async (method: string, path: string, body?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
      const call = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return (await httpCall(lost.operatorPort ?? 0, path, call)).status;
    };
    const agent = brief.agents[0];
    const byAgent = async () => (await asAgent(lost, keysOf(brief, agent))).status;
    const idOf = (credential: string) => credential.split("_")[2] ?? "";
    const revoked = await world.tokenOf(brief);
    const token = await world.tokenOf(brief);
    const byToken = async (text = token) => (await withToken(lost, text)).status;
    const form = { token: revoked, client_id: brief.clientId, client_secret: brief.clientSecret };
    const revoke = () =>
      httpCall(lost.port ?? 0, "/oauth/revoke", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
      });
    const tenant = `/tenants/${brief.tenant}`;
    const status = `${tenant}/agents/${agent.agentId}/status`;
    expect([await byAgent(), await byToken(), await byToken(revoked)]).toEqual([503, 503, 503]);

    expect((await revoke()).status).toBe(200);
    expect([await byToken(revoked), await byToken()]).toEqual([401, 503]);
    expect(await operate("PUT", status, { status: "SUSPENDED" })).toBe(200);
    expect(await byAgent()).toBe(403);
    expect(await operate("PUT", status, { status: "ACTIVE" })).toBe(200);
    expect(await byAgent()).toBe(503);
    expect(await operate("PATCH", `${tenant}/clients/${brief.clientId}`, { isDisabled: true })).toBe(200);
    expect(await byToken()).toBe(401);
    expect(await operate("PATCH", `${tenant}/clients/${brief.clientId}`, { isDisabled: false })).toBe(200);
    expect(await byToken()).toBe(503);
    expect(await operate("DELETE", `${tenant}/credentials/${idOf(brief.clientSecret)}`)).toBe(204);
    expect(await byToken()).toBe(401);
    expect(await operate("DELETE", `${tenant}/credentials/${idOf(brief.apiKey)}`)).toBe(204);
    expect(await byAgent()).toBe(401);
  });

  it("is kept for a minute at most by a gateway whose bus is away, and taken at once when the bus is back", async () => {
    const { NATS_URL: url, ...password } = world.testbed.busOf("gateway");
    const cable = await startCable(Number.parseInt(new URL(url).port, 10));
    const env = { NATS_URL: `nats://127.0.0.1:${cable.port}`, ...password };
    const [slow, mended] = [stoppedClock(), stoppedClock()];
    const lost = await world.startGateway({ NATS_URL: "nats://127.0.0.1:9" }, slow);
    const cutOff = await world.startGateway(env, mended);
    const agent = demo.agents[2];
    const call = async (gateway: Gateway) => (await asAgent(gateway, keysOf(demo, agent))).status;
    const path = `/tenants/demo/agents/${agent.agentId}/status`;
    // It is notified of changes: so its connection stands, and its cut is noticed.
    await world.operate("PUT", path, { status: "SUSPENDED" });
    expect(
      await soon(
        () => call(cutOff),
        (status) => status === 403,
      ),
    ).toBe(403);
    await world.operate("PUT", path, { status: "ACTIVE" });
    expect(
      await soon(
        () => call(cutOff),
        (status) => status === 503,
      ),
    ).toBe(503);
    expect(await call(lost)).toBe(503);

    cable.cut();
    await world.operate("PUT", path, { status: "SUSPENDED" });

    expect(await soon(() => everywhere((gateway) => asAgent(gateway, keysOf(demo, agent))), all(403))).toEqual([
      403, 403,
    ]);
    expect([await call(lost), await call(cutOff)]).toEqual([503, 503]);
    slow.advance(59);
    expect(await call(lost)).toBe(503);
    slow.advance(2);
    expect(await call(lost)).toBe(403);
    cable.mend();
    expect(
      await soon(
        () => call(cutOff),
        (status) => status === 403,
      ),
    ).toBe(403);
    await cutOff.stop();
    await cable.stop();
  });
});
