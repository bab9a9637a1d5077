import { fieldOf, logIn, type Send, sendTo } from "../../support/log-in";
import { until } from "../../support/platform-client";
import { oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import type { HttpAnswer } from "../gateway/http-call";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const [demo, other] = [makeTenant("demo"), makeTenant("other")];
const personOf = (role: string, tenant = "demo") => ({
  sub: `${tenant}-${role}`,
  amr: ["otp"],
  groups: [`corridor:${tenant}:${role}`],
});
const idOf = (credential: string): string => credential.split("_")[2] ?? "";

describe("keys and clients of a tenant", () => {
  let issuer: TestIssuer;
  let world: AccessWorld;
  let admin: string;
  const send: Send = sendTo(() => world.gateway.port ?? 0);
  const operate: Send = sendTo(() => world.gateway.operatorPort ?? 0);
  const path = (rest: string, tenant = "demo") => `/organizations/${tenant}/${rest}`;
  const asAdmin = (method: string, rest: string, body?: object) => send(method, path(rest), body, admin);
  const sessionOf = async (role: string, tenant = "demo") =>
    fieldOf(await logIn(send, issuer, personOf(role, tenant), { tenant }), "session");
  const listed = async (list: "clients" | "credentials") =>
    Reflect.get(Object((await asAdmin("GET", list)).json) as object, list) as Record<string, unknown>[];
  const makeKey = (body: object = {}) => asAdmin("POST", "credentials", { kind: "key", owner: "demo", ...body });
  const byKey = (apiKey: string) => world.call(path("agents"), { headers: { "x-api-key": apiKey } });
  const tokenFor = (clientId: string, clientSecret: string): Promise<HttpAnswer> =>
    world.requestToken({ ...demo, clientId, clientSecret });

  beforeAll(async () => {
    issuer = await startTestIssuer();
    world = await startAccessWorld({
      tenants: [demo, other],
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
    admin = await sessionOf("admin");
  });
  afterAll(async () => {
    await world.stop();
    await issuer.stop();
  });

  it("are listed with what they are bound to, and never with what is secret", async () => {
    expect(await listed("clients")).toMatchObject([{ clientId: demo.clientId, tenant: "demo", disabledAt: null }]);
    const credentials = await listed("credentials");
    const kinds = credentials.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["key", "secret", "agent"]));
    const text = JSON.stringify(credentials);
    for (const secret of [demo.apiKey, demo.clientSecret, idOf(other.apiKey)]) expect(text).not.toContain(secret);
  });

  it("are made and rotated by their admin: a client gets tokens by its new secret, and none by the one that was ended", async () => {
    const made = await asAdmin("POST", "clients", { name: "billing", scopes: ["payments", "fx"] });
    expect(made).toMatchObject({ status: 201, json: { clientId: "demo.billing", scopes: ["payments", "fx"] } });
    const secret = () => asAdmin("POST", "credentials", { kind: "secret", owner: "demo.billing" });
    const [first, second] = [await secret(), await secret()].map((answer) => fieldOf(answer, "credential"));
    expect(await secret()).toMatchObject({ status: 409, json: { code: "OPS_409" } });
    expect(await tokenFor("demo.billing", first ?? "")).toMatchObject({ status: 200, json: { scope: "payments fx" } });
    expect((await asAdmin("DELETE", `credentials/${idOf(first ?? "")}`)).status).toBe(204);
    expect((await tokenFor("demo.billing", first ?? "")).status).toBe(401);
    expect((await tokenFor("demo.billing", second ?? "")).status).toBe(200);
    const off = await asAdmin("PATCH", "clients/demo.billing", { isDisabled: true });
    expect(fieldOf(off, "disabledAt")).toMatch(/^20/);
    expect((await tokenFor("demo.billing", second ?? "")).status).toBe(401);
  });

  it("end when they are bound to an end, and do what they are bound to", async () => {
    const expiresAt = "2090-01-01T00:00:00.000Z";
    const key = fieldOf(await makeKey({ scopes: ["agents"], expiresAt }), "credential");
    expect((await byKey(key)).status).toBe(200);
    const mine = (await listed("credentials")).find(({ id }) => id === idOf(key));
    expect(mine).toMatchObject({ scopes: ["agents"], expiresAt, lastUsedAt: null });
    const bound = await asAdmin("PUT", `credentials/${idOf(key)}/bounds`, { scopes: ["webhooks"] });
    expect(bound).toMatchObject({ status: 200, json: { scopes: ["webhooks"], expiresAt: null } });
    await until(
      () => byKey(key),
      ({ status }) => status === 403,
    );
    expect((await asAdmin("DELETE", `credentials/${idOf(key)}`)).status).toBe(204);
    await until(
      () => byKey(key),
      ({ status }) => status === 401,
    );
  });

  it("are another tenant's business under no path, and none that does not exist is told from one of others", async () => {
    const theirs = idOf(other.apiKey);
    const refused = (answer: HttpAnswer) => expect(answer).toMatchObject({ status: 404, json: { code: "OPS_404" } });
    for (const id of [theirs, "nobody"]) {
      refused(await asAdmin("DELETE", `credentials/${id}`));
      refused(await asAdmin("PUT", `credentials/${id}/bounds`, {}));
    }
    for (const id of [other.clientId, "nobody"]) {
      refused(await asAdmin("PATCH", `clients/${id}`, { isDisabled: true }));
      refused(await asAdmin("POST", "credentials", { kind: "secret", owner: id }));
    }
    refused(await asAdmin("POST", "credentials", { kind: "key", owner: "other" }));
    for (const list of ["clients", "credentials"]) refused(await send("GET", path(list, "other"), undefined, admin));
    expect((await world.requestToken(other)).status).toBe(200);
  });

  it("cannot take an id that somebody else may want: a name is the tenant's own", async () => {
    const named = (name: string, scopes: readonly string[] = ["fx"]) => asAdmin("POST", "clients", { name, scopes });
    expect(await named("other.client")).toMatchObject({ status: 400, json: { code: "VE_001" } });
    expect(await named("x", [])).toMatchObject({ status: 400, json: { code: "VE_001" } });
    expect(await named("x", ["everything"])).toMatchObject({ status: 400, json: { code: "VE_001" } });
    expect(await named("twice")).toMatchObject({ status: 201 });
    expect(await named("twice")).toMatchObject({ status: 409 });
  });

  it("are seen by developers, and by nobody else but their admin", async () => {
    const [developer, finance] = [await sessionOf("developer"), await sessionOf("finance")];
    expect((await send("GET", path("credentials"), undefined, developer)).status).toBe(200);
    const make = await send("POST", path("credentials"), { kind: "key", owner: "demo" }, developer);
    expect(make).toMatchObject({ status: 403, json: { code: "AUTH_005" } });
    expect((await send("GET", path("credentials"), undefined, finance)).status).toBe(403);
    expect((await byKey(demo.apiKey)).status).toBe(200);
    expect((await world.call(path("credentials"), { headers: { "x-api-key": demo.apiKey } })).status).toBe(401);
  });

  it("leave who made and ended them in the audit log, and nothing that is secret", async () => {
    const key = fieldOf(await makeKey(), "credential");
    await asAdmin("DELETE", `credentials/${idOf(key)}`);
    const records = await operate("GET", "/audit?after=0&limit=500", undefined, operatorToken);
    expect(records.text).toContain("POST /organizations/{tenant}/credentials");
    expect(records.text).toContain("DELETE /organizations/{tenant}/credentials/{credentialId}");
    expect(records.text).not.toContain(key);
    expect(await world.storeDump()).not.toContain(key);
  });
});
