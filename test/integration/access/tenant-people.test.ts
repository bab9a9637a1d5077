import { randomUUID } from "node:crypto";
import type { Gateway } from "../../../gateway/app";
import { tenantRules } from "../../../gateway/tenant-roles";
import { DomainError } from "../../../services/shared/kernel/errors";
import { type TenantRole, tenantRoles } from "../../../services/shared/kernel/roles";
import { uncalledTable } from "../../support/declared-access";
import { fieldOf, logIn, type Send, sendTo } from "../../support/log-in";
import { until } from "../../support/platform-client";
import { mayCall } from "../../support/tenant-role-rules";
import { oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import type { HttpAnswer } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const [demo, other] = [makeTenant("demo"), makeTenant("other")];
const [approved, waiting] = demo.agents;
const strong = { amr: ["otp"] };
const personOf = (role: TenantRole, tenant = "demo") => ({
  sub: `${tenant}-${role}`,
  ...strong,
  groups: [`corridor:${tenant}:${role}`],
});
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const closed = uncalledTable.filter(({ scheme }) => scheme !== "none");

describe("people of a tenant", () => {
  let issuer: TestIssuer;
  let peers: Peers;
  let world: AccessWorld;
  let second: Gateway;

  const at = (gateway: () => Gateway, isOperator = false): Send =>
    sendTo(() => (isOperator ? gateway().operatorPort : gateway().port) ?? 0);
  const send = at(() => world.gateway);
  const sendSecond = at(() => second);
  const operate = at(() => world.gateway, true);

  beforeAll(async () => {
    issuer = await startTestIssuer();
    peers = await startPeers({}, () => Promise.reject(new DomainError("RECORD_NOT_FOUND", "there is no such thing")));
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    world = await startAccessWorld({
      tenants: [demo, other],
      gateway: targets,
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
    second = await world.startGateway();
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
    await issuer.stop();
  });

  const come = (claims: Record<string, unknown>, tenant = "demo") => logIn(send, issuer, claims, { tenant });
  const sessionOf = async (role: TenantRole, tenant = "demo") =>
    fieldOf(await come(personOf(role, tenant), tenant), "session");
  const refused = (answer: HttpAnswer, status = 401, code = "AUTH_001") =>
    expect(answer).toMatchObject({ status, json: { code } });
  const look = async (token: string, by: Send = send) => (await by("GET", "/v2/payments", undefined, token)).status;
  /** What answers when the role is let in: the service behind knows nothing. */
  const letIn = 404;

  it("have a rule for every route that asks for a credential, and no other", () => {
    expect(Object.keys(tenantRules).toSorted()).toEqual(closed.map(nameOf).toSorted());
  });

  it.each(tenantRoles.map((role) => [role]))(
    "with the role %s may do what it is for, and nothing else",
    async (role) => {
      const tokens = [await sessionOf(role), await issuer.token(personOf(role))];
      const wrong: string[] = [];
      for (const route of closed) {
        const path = route.path
          .replaceAll("{tenant}", "demo")
          .replaceAll(/\{\w+\}/g, "11111111-2222-4333-8444-555555555555");
        for (const token of route.method === "DELETE" && route.path === "/session" ? [] : tokens) {
          const headers = {
            authorization: `Bearer ${token}`,
            "x-agent-id": approved.agentId,
            ...(route.method === "GET" || route.method === "DELETE" ? {} : { "content-type": "application/json" }),
          };
          const body = "content-type" in headers && route.body !== "none" ? { body: "{}" } : {};
          const { status, json } = await world.call(path, { method: route.method, headers, ...body });
          const code = String(Reflect.get(Object(json) as object, "code"));
          const isLetIn = !code.startsWith("AUTH_");
          if (isLetIn !== mayCall(role, route)) wrong.push(`${nameOf(route)} ${status} ${code}`);
          if (!isLetIn && code !== "AUTH_005") wrong.push(`${nameOf(route)} ${status} ${code}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it("know nothing of another tenant's users: under one's own path they are absent, whatever is asked of them", async () => {
    const foreign = await come(personOf("viewer", "other"), "other");
    const userId = fieldOf(foreign, "userId");
    const [session, absent] = [await sessionOf("admin"), randomUUID()];
    const users = "/organizations/demo/users";
    const routes = closed.filter(({ path }) => path.startsWith("/organizations/{tenant}/users/"));
    expect(routes.map(nameOf).toSorted()).toEqual([
      "DELETE /organizations/{tenant}/users/{userId}/sessions",
      "PATCH /organizations/{tenant}/users/{userId}",
    ]);
    const told = async (id: string, by: Send = send, path = users, token = session) => [
      await by("PATCH", `${path}/${id}`, { roles: ["admin"] }, token),
      await by("PATCH", `${path}/${id}`, { isDisabled: true }, token),
      await by("DELETE", `${path}/${id}/sessions`, undefined, token),
    ];
    const wordsOf = (answers: readonly HttpAnswer[]) =>
      answers.map(({ status, json }) => [status, { ...(json as object), requestId: undefined, traceId: undefined }]);
    const unknown = wordsOf(await told(absent));
    expect(unknown.map(([status]) => status)).toEqual([404, 404, 404]);
    expect(wordsOf(await told(userId))).toEqual(unknown);
    // Operators too name a user together with its tenant.
    const ofOperators = (id: string) => told(id, operate, "/tenants/demo/users", operatorToken);
    const unknownThere = wordsOf(await ofOperators(absent));
    expect(unknownThere.map(([status]) => status)).toEqual([404, 404, 404]);
    expect(wordsOf(await ofOperators(userId))).toEqual(unknownThere);
    expect((await send("GET", users, undefined, session)).text).not.toContain(userId);
    // Nothing has happened to it.
    const theirs = await send("GET", "/session", undefined, fieldOf(foreign, "session"));
    expect(theirs.json).toMatchObject({ userId, tenant: "other", roles: ["viewer"] });
  });

  it("are at home in one tenant: on paths of another, and at other doors, they are nobody", async () => {
    const session = await sessionOf("admin");
    refused(await send("GET", "/organizations/other/users", undefined, session), 404, "OPS_404");
    refused(
      await send("POST", "/organizations/other/users", { email: "a@b.example", roles: ["admin"] }, session),
      404,
      "OPS_404",
    );
    refused(await operate("GET", "/tenants", undefined, session));
    refused(await operate("GET", "/tenants", undefined, await issuer.token(personOf("admin"))), 403, "AUTH_005");
    // Who is of one tenant by the provider's word or by having come does not come to another.
    refused(await come(personOf("admin"), "other"));
    refused(await come({ ...personOf("admin"), groups: ["corridor:other:admin"] }, "other"));
    refused(await come({ sub: "both", ...strong, groups: ["corridor:demo:admin", "corridor:other:admin"] }));
    refused(await come({ sub: "ghost", ...strong, groups: ["corridor:ghost:admin"] }, "ghost"));
    const ghost = await issuer.token({ sub: "ghost", ...strong, groups: ["corridor:ghost:admin"] });
    refused(await send("GET", "/v2/payments", undefined, ghost), 403, "AUTH_005");
    expect(await world.storeDump()).not.toContain("ghost");
    refused(await come({ sub: "op", ...strong, groups: ["corridor:operators:platform"] }), 403, "AUTH_005");
    const operator = fieldOf(
      await logIn(operate, issuer, { sub: "op", ...strong, groups: ["corridor:operators:platform"] }),
      "session",
    );
    expect(await look(operator)).toBe(401);
    refused(await send("GET", "/session", undefined, await world.tokenOf(demo)));
    refused(await world.call("/session", { headers: { "x-api-key": demo.apiKey } }));
  });

  it("need a second factor and a role, for sessions and tokens", async () => {
    const weak = { ...personOf("viewer"), sub: "weak", amr: ["pwd"] };
    refused(await come(weak), 403, "AUTH_006");
    refused(await send("GET", "/v2/payments", undefined, await issuer.token(weak)), 403, "AUTH_006");
    refused(await come({ sub: "none", ...strong, groups: ["corridor:demo:king"] }), 403, "AUTH_005");
    const none = await issuer.token({ sub: "none", ...strong });
    refused(await send("GET", "/v2/payments", undefined, none), 403, "AUTH_005");
  });

  it("act for an approved agent of their tenant, which they name", async () => {
    const session = await sessionOf("finance");
    const list = (agentId?: string) =>
      world.call("/fx/transactions", {
        headers: { authorization: `Bearer ${session}`, ...(agentId === undefined ? {} : { "x-agent-id": agentId }) },
      });
    expect((await list(approved.agentId)).status).toBe(letIn);
    for (const agentId of [undefined, waiting.agentId, other.agents[0].agentId, "x"])
      refused(await list(agentId), 403, "AUTH_002");
  });

  it("do not stand for a key that was sent and is wrong", async () => {
    const headers = { authorization: `Bearer ${await sessionOf("admin")}`, "x-api-key": "nonsense" };
    refused(await world.call("/organizations/demo/webhooks", { headers }));
  });

  it("are invited by an admin of their tenant, or the first one by an operator", async () => {
    const first = await operate(
      "POST",
      "/tenants/other/users",
      { email: "boss@other.example", roles: ["admin"] },
      operatorToken,
    );
    expect(first.status).toBe(201);
    const boss = await come({ sub: "boss", ...strong, email: "boss@other.example", email_verified: true }, "other");
    expect(boss.json).toMatchObject({ tenant: "other", roles: ["admin"] });
    const session = fieldOf(boss, "session");
    const invite = (body: object) => send("POST", "/organizations/other/users", body, session);
    expect((await invite({ email: "dev@other.example", roles: ["developer"] })).status).toBe(201);
    expect((await invite({ email: "op@other.example", roles: ["platform"] })).status).toBe(400);
    const dev = await come({ sub: "dev", ...strong, email: "dev@other.example", email_verified: true }, "other");
    const devSession = fieldOf(dev, "session");
    // An invitation of one tenant is none of another.
    refused(await come({ sub: "dev2", ...strong, email: "boss@other.example", email_verified: true }), 403, "AUTH_005");
    refused(await send("GET", "/organizations/other/users", undefined, devSession), 403, "AUTH_005");
    const change = (userId: string, body: object, by = session) =>
      send("PATCH", `/organizations/other/users/${userId}`, body, by);
    refused(await change(fieldOf(boss, "userId"), { roles: ["viewer"] }), 409, "OPS_409");
    const demoAdmin = await sessionOf("admin");
    refused(
      await send("PATCH", `/organizations/demo/users/${fieldOf(dev, "userId")}`, { isDisabled: true }, demoAdmin),
      404,
      "OPS_404",
    );
    expect((await change(fieldOf(dev, "userId"), { isDisabled: true })).status).toBe(200);
    expect(await look(devSession)).toBe(401);
    const { text } = await operate("GET", "/audit", undefined, operatorToken);
    expect(text).toContain(`"user:${fieldOf(boss, "userId")}"`);
  });

  it("are out at once, in every gateway, when the session or all of them end, and when the tenant is disabled", async () => {
    const admin = await sessionOf("admin");
    const viewer = await come(personOf("viewer"));
    const [userId, session] = [fieldOf(viewer, "userId"), fieldOf(viewer, "session")];
    const token = await issuer.token(personOf("viewer"));
    const gone = (one: string) =>
      until(
        () => look(one, sendSecond),
        (status) => status === 401,
        2_000,
      );
    expect([await look(session, sendSecond), await look(token, sendSecond)]).toEqual([letIn, letIn]);
    expect((await send("DELETE", `/organizations/demo/users/${userId}/sessions`, undefined, admin)).status).toBe(204);
    expect([await gone(session), await gone(token)]).toEqual([401, 401]);

    const again = await sessionOf("finance");
    expect(await look(again, sendSecond)).toBe(letIn);
    await operate("PATCH", "/tenants/demo", { isDisabled: true }, operatorToken);
    expect(await gone(again)).toBe(401);
    await operate("PATCH", "/tenants/demo", { isDisabled: false }, operatorToken);
    expect(
      await until(
        () => look(again, sendSecond),
        (status) => status === letIn,
        5_000,
      ),
    ).toBe(letIn);
  });

  it("do not log in where no provider is configured, and the tenant's programs go on", async () => {
    const without = await startAccessWorld({ tenants: [demo] });
    const sendThere = at(() => without.gateway);
    refused(
      await sendThere("POST", "/login", { tenant: "demo", redirectUri: "http://127.0.0.1/callback" }),
      404,
      "OPS_404",
    );
    refused(await sendThere("GET", "/v2/payments", undefined, await issuer.token(personOf("admin"))));
    refused(await sendThere("GET", "/v2/payments", undefined, `session_${"A".repeat(43)}`));
    expect((await sendThere("GET", "/v2/payments", undefined, await without.tokenOf(demo))).status).toBe(503);
    await without.stop();
  });
});
