import { operatorRules } from "../../../gateway/operator/operator-roles";
import { tenantRules } from "../../../gateway/tenant-roles";
import { DomainError } from "../../../services/shared/kernel/errors";
import { operatorRoles } from "../../../services/shared/kernel/roles";
import { fieldOf, logIn, redirectUri, type Send, sendTo } from "../../support/log-in";
import { oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import { httpCall } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const everyRole = (sub: string) => ({
  sub,
  amr: ["otp"],
  groups: operatorRoles.map((role) => `corridor:operators:${role}`),
});
const admin = { sub: "demo-admin", amr: ["otp"], groups: ["corridor:demo:admin"] };
const agoSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
const minutes = 60;

/** What approves, erases, makes or shows a credential, or lets one do more. */
const operatorCalls = [
  "POST /approvals/{approvalId}",
  "DELETE /tenants/{tenant}/participants/{participantId}",
  "POST /tenants/{tenant}/credentials",
  "POST /signing-keys",
];
const tenantCalls = [
  "POST /organizations/{tenant}/agents",
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret",
  "PATCH /organizations/{tenant}/clients/{clientId}",
  "POST /organizations/{tenant}/credentials",
  "PUT /organizations/{tenant}/credentials/{credentialId}/bounds",
];

describe("calls that ask for a fresh second factor", () => {
  let issuer: TestIssuer;
  let peers: Peers;
  let world: AccessWorld;
  let now = new Date();
  const clock = { now: () => now };

  beforeAll(async () => {
    issuer = await startTestIssuer();
    peers = await startPeers({}, () => Promise.reject(new DomainError("RECORD_NOT_FOUND", "there is no such thing")));
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    world = await startAccessWorld({
      gateway: targets,
      tenants: [demo],
      overrides: { clock },
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
  });
  beforeEach(() => {
    now = new Date();
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
    await issuer.stop();
  });

  const operate: Send = sendTo(() => world.gateway.operatorPort ?? 0);
  const send: Send = sendTo(() => world.gateway.port ?? 0);
  /** With the agent in whose name some calls are made. */
  const sendAsAgent: Send = (method, path, body, token = "") =>
    world.call(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "x-agent-id": demo.agents[0].agentId,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const operatorAt = async (authTime: number | undefined): Promise<string> =>
    fieldOf(await logIn(operate, issuer, { ...everyRole("op"), auth_time: authTime }), "session");
  /** The calls of a table that are refused for the age of the proof, whatever else becomes of the others. */
  const refusedBy = async (rules: object, by: Send, token: string): Promise<string[]> => {
    const names = Object.keys(rules).filter((name) => !name.startsWith("DELETE /session"));
    const refused: string[] = [];
    for (const name of names) {
      const [method = "", path = ""] = name.split(" ");
      const named = path.replace("{tenant}", "demo").replaceAll(/\{\w+\}/g, "11111111-2222-4333-8444-555555555555");
      const hasBody = !["GET", "DELETE"].includes(method) && !path.endsWith("/secret");
      const answer = await by(method, named, hasBody ? {} : undefined, token);
      if (fieldOf(answer, "code") !== "AUTH_006") continue;
      expect(answer).toMatchObject({ status: 403, json: { details: { maxAgeSeconds: 300 } } });
      refused.push(name);
    }
    return refused.toSorted();
  };

  it("are those of the tables and no others, for sessions and tokens whose proof is old or unknown", async () => {
    const old = agoSeconds(6 * minutes);
    const shown = [await operatorAt(old), await operatorAt(undefined)];
    shown.push(await issuer.token({ ...everyRole("op"), auth_time: old }));
    for (const token of shown) expect(await refusedBy(operatorRules, operate, token)).toEqual(operatorCalls.toSorted());

    const people = [
      fieldOf(await logIn(send, issuer, { ...admin, auth_time: old }, { tenant: "demo" }), "session"),
      await issuer.token({ ...admin, auth_time: undefined }),
    ];
    for (const token of people)
      expect(await refusedBy(tenantRules, sendAsAgent, token)).toEqual(tenantCalls.toSorted());
  });

  it("are let in with a fresh one, by a login that asks for it, and for five minutes", async () => {
    const begun = await operate("POST", "/login", { redirectUri });
    expect(new URL(fieldOf(begun, "authorizationUrl")).searchParams.get("max_age")).toBe("300");
    const timed = await world.startGateway({}, clock);
    const later: Send = sendTo(() => timed.operatorPort ?? 0);
    const session = await operatorAt(agoSeconds(0));
    const codeOf = async (token: string) => fieldOf(await later("POST", "/signing-keys", undefined, token), "code");
    expect(await codeOf(session)).not.toMatch("AUTH");
    now = new Date(Date.now() + 6 * minutes * 1_000);
    expect(await codeOf(session)).toBe("AUTH_006");
    // Whoever logs in again goes on.
    expect(await codeOf(await operatorAt(agoSeconds(-6 * minutes)))).not.toMatch("AUTH");
  });

  it("are any command that is sent with an approval, and never one of a static token", async () => {
    const session = await operatorAt(agoSeconds(6 * minutes));
    const withApproval = (token: string) =>
      httpCall(world.gateway.operatorPort ?? 0, "/tenants", {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-approval": "11111111-2222-4333-8444-555555555555",
        },
        body: "{}",
      });
    expect(await withApproval(session)).toMatchObject({ status: 403, json: { code: "AUTH_006" } });
    expect((await withApproval(operatorToken)).status).toBe(400);
    expect((await withApproval(await operatorAt(agoSeconds(0)))).status).toBe(400);
    expect(await refusedBy(operatorRules, operate, operatorToken)).toEqual([]);
    const { status } = await operate("GET", "/tenants", undefined, session);
    expect(status).toBe(200);
  });
});
