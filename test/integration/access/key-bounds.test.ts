import type { Gateway } from "../../../gateway/app";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, startAccessWorld, type TestTenant } from "./access-world";

const [demo, moving, ending, roaming] = ["demo", "moving", "ending", "roaming"].map((name) => makeTenant(name));
if (demo === undefined || moving === undefined || ending === undefined || roaming === undefined) throw new Error();

const start = new Date("2026-11-22T12:00:00.000Z");
/** One for auth and for every gateway. */
let now = start;
const clock = { now: () => now };

describe("what a key is bound to", () => {
  let world: AccessWorld;
  let gateways: readonly Gateway[];

  beforeAll(async () => {
    const proxy = { GATEWAY_TRUSTED_HOPS: "1", GATEWAY_PROXY_NETWORKS: "127.0.0.1/32" };
    world = await startAccessWorld({ tenants: [demo, moving, ending, roaming], overrides: { clock }, gateway: proxy });
    const { port: second } = await world.startAuthReplica();
    gateways = [
      await world.startGateway({}, clock),
      await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${second}` }, clock),
    ];
  });
  beforeEach(() => {
    now = start;
  });
  afterAll(() => world.stop());

  const idOf = (credential: string): string => credential.split("_")[2] ?? "";
  const bind = (tenant: string, credential: string, bounds: object) =>
    world.operate("PUT", `/tenants/${tenant}/credentials/${idOf(credential)}/bounds`, bounds);
  const from = (address: string) => ({ "x-forwarded-for": address });
  const keysOf = ({ apiKey, agents: [agent] }: TestTenant) => ({
    "x-api-key": apiKey,
    "x-agent-id": agent.agentId,
    "x-agent-api-key": agent.apiKey,
  });
  const home = from("203.0.113.7");
  /** 503 when it is let in, since the services behind are away. */
  const byKey = (gateway: Gateway, headers: Record<string, string>, path = "/reference/destinations") =>
    httpCall(gateway.port ?? 0, path, { headers: { ...home, ...headers } });
  const byToken = (gateway: Gateway, token: string, path = "/schema/BRA", headers: Record<string, string> = {}) =>
    httpCall(gateway.port ?? 0, path, { headers: { ...home, ...headers, authorization: `Bearer ${token}` } });
  const buy = (tenant: TestTenant, headers: Record<string, string> = home, scope?: string) =>
    httpCall(gateways[0]?.port ?? 0, "/oauth/token", {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: tenant.clientId,
        client_secret: tenant.clientSecret,
        ...(scope === undefined ? {} : { scope }),
      }).toString(),
    });
  const tokenOf = ({ text }: HttpAnswer): string => /"access_token":"([^"]+)"/.exec(text)?.[1] ?? "";
  const everywhere = (call: (gateway: Gateway) => Promise<HttpAnswer>) =>
    Promise.all(gateways.map(async (gateway) => (await call(gateway)).status));
  /** Time stands still for what is kept, so only the bus can have announced it. */
  const soon = (call: (gateway: Gateway) => Promise<HttpAnswer>, status: number) =>
    until(
      () => everywhere(call),
      (statuses) => statuses.every((one) => one === status),
      8_000,
    );

  it("is shown in the directory, and taken off again", async () => {
    const bounds = { scopes: ["webhooks", "agents"], expiresAt: "2027-01-01T00:00:00.000Z", allowlist: ["10.0.0.0/8"] };
    const made = await world.operate("POST", "/tenants/demo/credentials", { kind: "key", owner: "demo", ...bounds });
    const { credential } = JSON.parse(made.text) as { credential: string };
    const shown = { ...bounds, scopes: ["agents", "webhooks"] };

    expect(made).toMatchObject({ status: 201, json: { facts: shown } });
    const list = await world.operate("GET", "/tenants/demo/credentials");
    const { credentials } = JSON.parse(list.text) as { credentials: { id: string }[] };
    expect(credentials.find(({ id }) => id === idOf(credential))).toMatchObject(shown);
    expect(credentials.find(({ id }) => id === idOf(demo.apiKey))).toMatchObject({
      scopes: null,
      expiresAt: null,
      allowlist: [],
    });
    expect(await bind("demo", credential, {})).toMatchObject({
      status: 200,
      json: { scopes: null, expiresAt: null, allowlist: [] },
    });
  });

  it("is refused with all that is wrong, and then binds nothing", async () => {
    const wrong = { scopes: ["wallets"], expiresAt: "2026-11-22T12:00:00Z", allowlist: ["10.0.0.1"] };
    const fields = [{ field: "scopes" }, { field: "expiresAt" }, { field: "allowlist" }];

    expect(await bind("demo", demo.apiKey, wrong)).toMatchObject({ status: 400, json: { errors: fields } });
    expect(await bind("demo", demo.apiKey, { scopes: [] })).toMatchObject({ status: 400 });
    expect(await bind("demo", demo.apiKey, { expiresAt: "tomorrow" })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "expiresAt" }] },
    });
    expect(await bind("demo", demo.clientSecret, { scopes: ["agents"] })).toMatchObject({ status: 400 });
    expect(await bind("moving", demo.apiKey, {})).toMatchObject({ status: 404, json: { code: "OPS_404" } });
    const request = { kind: "secret", owner: "demo-client", ...wrong };
    expect(await world.operate("POST", "/tenants/demo/credentials", request)).toMatchObject({ status: 400 });
    expect(await everywhere((gateway) => byKey(gateway, keysOf(demo)))).toEqual([503, 503]);
  });

  it("takes scopes from keys that are in use, in every gateway, and gives them back", async () => {
    const call = (gateway: Gateway) => byKey(gateway, keysOf(moving));
    expect(await everywhere(call)).toEqual([503, 503]);

    for (const credential of [moving.apiKey, moving.agents[0].apiKey]) {
      expect((await bind("moving", credential, { scopes: ["webhooks"] })).status).toBe(200);
      expect(await soon(call, 403)).toEqual([403, 403]);
      const [gateway] = gateways;
      expect(gateway && (await call(gateway))).toMatchObject({
        json: { code: "AUTH_004", details: { scope: "schemas" } },
      });
      expect((await bind("moving", credential, {})).status).toBe(200);
      expect(await soon(call, 503)).toEqual([503, 503]);
    }
  });

  it("lets a key work from its addresses alone, as the proxy reports them, also one that was good elsewhere", async () => {
    const away = from("198.51.100.9");
    const call = (gateway: Gateway) => byKey(gateway, { ...keysOf(moving), ...away });
    expect(await everywhere(call)).toEqual([503, 503]);

    expect((await bind("moving", moving.apiKey, { allowlist: ["203.0.113.0/24"] })).status).toBe(200);

    expect(await soon(call, 403)).toEqual([403, 403]);
    const [gateway] = gateways;
    expect(gateway && (await call(gateway))).toMatchObject({ json: { code: "AUTH_003" } });
    // What the caller writes stands before what the proxy saw.
    const forged = (one: Gateway) => byKey(one, { ...keysOf(moving), ...from("203.0.113.7, 198.51.100.9") });
    expect(await everywhere(forged)).toEqual([403, 403]);
    expect(await everywhere((one) => byKey(one, keysOf(moving)))).toEqual([503, 503]);
    await bind("moving", moving.apiKey, {});
    expect((await bind("moving", moving.agents[0].apiKey, { allowlist: ["203.0.113.0/24"] })).status).toBe(200);
    expect(await soon(call, 403)).toEqual([403, 403]);
    expect(await everywhere((one) => byKey(one, keysOf(moving)))).toEqual([503, 503]);
    await bind("moving", moving.agents[0].apiKey, {});
  });

  it("ends a key at its moment, though a gateway still keeps the answer about it", async () => {
    expect((await bind("ending", ending.apiKey, { expiresAt: "2026-11-22T12:00:30Z" })).status).toBe(200);
    const call = (gateway: Gateway) => byKey(gateway, keysOf(ending));
    expect(await everywhere(call)).toEqual([503, 503]);
    now = new Date("2026-11-22T12:00:29.999Z");
    expect(await everywhere(call)).toEqual([503, 503]);

    now = new Date("2026-11-22T12:00:30.000Z");

    expect(await everywhere(call)).toEqual([401, 401]);
    const [gateway] = gateways;
    expect(gateway && (await call(gateway))).toMatchObject({ json: { code: "AUTH_001" } });
  });

  it("narrows the tokens of a client secret when they are given, and no longer than the secret lives", async () => {
    const bounds = { scopes: ["schemas", "fx"], expiresAt: "2026-11-22T12:10:00Z" };
    expect((await bind("ending", ending.clientSecret, bounds)).status).toBe(200);

    const answer = await buy(ending);
    expect(answer).toMatchObject({ status: 200, json: { scope: "fx schemas", expires_in: 600 } });
    expect(await buy(ending, home, "payments")).toMatchObject({ status: 400, json: { error: "invalid_scope" } });
    now = new Date("2026-11-22T12:10:00Z");
    expect(await buy(ending)).toMatchObject({ status: 401, json: { error: "invalid_client" } });
    expect(await everywhere((gateway) => byToken(gateway, tokenOf(answer)))).toEqual([401, 401]);
  });

  it("binds the tokens that were given before, in every gateway", async () => {
    const token = tokenOf(await buy(roaming));
    const call = (gateway: Gateway) => byToken(gateway, token);
    const away = (gateway: Gateway) => byToken(gateway, token, "/schema/BRA", from("198.51.100.9"));
    expect(await everywhere(call)).toEqual([503, 503]);
    expect(await everywhere(away)).toEqual([503, 503]);

    await bind("roaming", roaming.clientSecret, { allowlist: ["203.0.113.0/24"] });
    expect(await soon(away, 403)).toEqual([403, 403]);
    expect(await everywhere(call)).toEqual([503, 503]);
    expect(await buy(roaming, from("198.51.100.9"))).toMatchObject({ status: 403, json: { error: "access_denied" } });
    await bind("roaming", roaming.clientSecret, { scopes: ["fx"] });
    expect(await soon(call, 403)).toEqual([403, 403]);
    await bind("roaming", roaming.clientSecret, {});
    expect(await soon(away, 503)).toEqual([503, 503]);
    const path = `/tenants/roaming/credentials/${idOf(roaming.clientSecret)}`;
    expect((await world.operate("DELETE", path)).status).toBe(204);
    expect(await soon(call, 401)).toEqual([401, 401]);
  });
});
