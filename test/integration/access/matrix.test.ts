import type { Route } from "../../../gateway/route";
import { makeCredential } from "../../../services/shared/crypto/credential";
import { DomainError } from "../../../services/shared/kernel/errors";
import { systemIds } from "../../../services/shared/kernel/ids";
import { keyScopes, scopes } from "../../../services/shared/kernel/scopes";
import {
  declaredAccess,
  declaredOperatorAccess,
  uncalledOperatorTable,
  uncalledTable,
} from "../../support/declared-access";
import { oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld, type TestTenant } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const [approved, pending, second] = demo.agents;
const [foreign] = other.agents;

type Headers = Record<string, string>;

const agentHeaders = ({ agentId, apiKey }: { agentId: string; apiKey: string }): Headers => ({
  "x-agent-id": agentId,
  "x-agent-api-key": apiKey,
});
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** What a caller of tenant demo may send, beside access tokens. */
const sent: Record<string, Headers> = {
  nothing: {},
  nonsense: { ...bearer("a.b.c"), "x-api-key": "nonsense", ...agentHeaders({ agentId: "x", apiKey: "y" }) },
  "tenant key": { "x-api-key": demo.apiKey },
  "tenant key in upper case": { "x-api-key": demo.apiKey.toUpperCase() },
  "unknown tenant key": { "x-api-key": makeCredential("key", "local", systemIds) },
  "tenant key of another environment": { "x-api-key": makeCredential("key", "production", systemIds) },
  "client secret as tenant key": { "x-api-key": demo.clientSecret },
  "tenant key as token": bearer(demo.apiKey),
  agent: { "x-api-key": demo.apiKey, ...agentHeaders(approved) },
  "agent that waits for approval": { "x-api-key": demo.apiKey, ...agentHeaders(pending) },
  "agent of another tenant": { "x-api-key": demo.apiKey, ...agentHeaders(foreign) },
  "agent with another agent's key": {
    "x-api-key": demo.apiKey,
    ...agentHeaders({ ...approved, apiKey: second.apiKey }),
  },
  "agent without tenant key": agentHeaders(approved),
  "agent key as tenant key": { "x-api-key": approved.apiKey, ...agentHeaders(approved) },
  operator: bearer(operatorToken),
};

const keyChallenge = 'ApiKey realm="corridor", header="x-api-key"';
const admitted = "admitted";
const noKey = `401 AUTH_001 ${keyChallenge}`;
const noAgent = "403 AUTH_002 ";
const noToken = '401 AUTH_001 Bearer realm="corridor"';
const wrongToken = `${noToken}, error="invalid_token"`;
const noPerson = '401 AUTH_001 Bearer realm="corridor people"';
const noOperator = '401 AUTH_001 Bearer realm="corridor operators"';

const withKey = ["tenant key", "agent", "agent that waits for approval", "agent of another tenant"];
withKey.push("agent with another agent's key");

const lacksScope = (scope = ""): string => `403 AUTH_004 ${keyChallenge}, error="insufficient_scope", scope="${scope}"`;

/** What the contract promises for one route and one kind of credential. */
function expected(access: string, kind: string): string {
  const [scheme, scope] = access.split(" ");
  if (kind === "admin of the tenant") return scheme === "operator" ? "403 AUTH_005 " : admitted;
  switch (scheme) {
    case "none":
      return admitted;
    case "bearer":
      if (kind === "token with the scope") return admitted;
      if (kind === "token with all other scopes") {
        return `403 AUTH_004 Bearer error="insufficient_scope", scope="${scope}"`;
      }
      return sent[kind]?.["authorization"] === undefined ? noToken : wrongToken;
    case "tenant":
      if (kind === "key with all other scopes") return lacksScope(scope);
      return kind === "key with the scope" || withKey.includes(kind) ? admitted : noKey;
    case "agent":
      if (kind === "key with all other scopes") return lacksScope(scope);
      if (kind === "agent" || kind === "key with the scope") return admitted;
      return withKey.includes(kind) ? noAgent : noKey;
    case "person":
      return noPerson;
    case "operator":
      return kind === "operator" ? admitted : noOperator;
    default:
      throw new Error(`declaredAccess has no scheme '${access}'`);
  }
}

/** What was answered, in the same words. */
function seen({ status, headers, json }: HttpAnswer): string {
  const code = String(Reflect.get(Object(json) as object, "code"));
  // The token endpoint takes its own credentials and has its own refusals.
  if (!code.startsWith("AUTH_")) return admitted;
  return `${status} ${code} ${headers["www-authenticate"] ?? ""}`;
}

const accessOf = (table: readonly Route[]): Record<string, string> =>
  Object.fromEntries(
    table.map((route) => [
      `${route.method} ${route.path}`,
      "scope" in route ? `${route.scheme} ${route.scope}` : route.scheme,
    ]),
  );

describe("the matrix of routes and credentials", () => {
  const asked: { method: string; request: object }[] = [];
  const tokens = new Map<string, string>();
  const keys = new Map<string, { allowed: Headers; others: Headers }>();
  const people = new Map<string, string>();
  let issuer: TestIssuer;
  let peers: Peers;
  let world: AccessWorld;

  beforeAll(async () => {
    peers = await startPeers({}, (method, request) => {
      asked.push({ method, request: Object(request) as object });
      return Promise.reject(new DomainError("RECORD_NOT_FOUND", "there is no such thing"));
    });
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    const bound = keyScopes.map((scope) => makeTenant(scope));
    issuer = await startTestIssuer();
    world = await startAccessWorld({
      tenants: [demo, other, ...bound],
      gateway: targets,
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
    for (const { tenant } of [demo, other]) {
      const claims = { sub: tenant, amr: ["otp"], groups: [`corridor:${tenant}:admin`] };
      people.set(tenant, await issuer.token(claims));
    }
    for (const tenant of bound) keys.set(tenant.tenant, await bindKeys(tenant));
    for (const tenant of [demo, other]) {
      for (const scope of scopes) {
        const rest = scopes.filter((one) => one !== scope).join(" ");
        tokens.set(`${tenant.tenant} ${scope}`, await world.tokenOf(tenant, scope));
        tokens.set(`${tenant.tenant} all but ${scope}`, await world.tokenOf(tenant, rest));
      }
    }
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
    await issuer.stop();
  });

  /** The two keys of a tenant that is named like a scope: one allows this scope alone, the other all others. */
  async function bindKeys({ tenant, apiKey, agents: [agent] }: TestTenant) {
    const path = `/tenants/${tenant}/credentials`;
    const rest = keyScopes.filter((one) => one !== tenant);
    await world.operate("PUT", `${path}/${apiKey.split("_")[2]}/bounds`, { scopes: [tenant] });
    const { text } = await world.operate("POST", path, { kind: "key", owner: tenant, scopes: rest });
    const { credential } = JSON.parse(text) as { credential: string };
    const ofAgent = agentHeaders(agent);
    return { allowed: { "x-api-key": apiKey, ...ofAgent }, others: { "x-api-key": credential, ...ofAgent } };
  }

  const pathOf = (path: string, tenant: string): string =>
    path.replace("{tenant}", tenant).replaceAll(/\{\w+\}/g, "11111111-2222-4333-8444-555555555555");

  /** Calls a route; also returns what was asked of the services behind it. */
  const call = async (name: string, headers: Headers, tenant = "demo", access = declaredAccess[name]) => {
    const [method = "", path = ""] = name.split(" ");
    // Both tables may have a route of one name.
    const isOperators = access === undefined || access === "operator";
    const port = (isOperators ? world.gateway.operatorPort : world.gateway.port) ?? 0;
    const isRead = method === "GET" || method === "DELETE";
    asked.length = 0;
    const type = path.startsWith("/oauth/") ? "application/x-www-form-urlencoded" : "application/json";
    const answer = await httpCall(port, pathOf(path, tenant), {
      method,
      headers: { "content-type": type, ...headers },
      ...(isRead ? {} : { body: "{}" }),
    });
    return { answer, requests: asked.map(({ request }) => request) };
  };

  const tokenHeaders = (access: string, tenant: TestTenant): Record<string, Headers> => {
    const [scheme, scope = ""] = access.split(" ");
    if (scheme === "tenant" || scheme === "agent") {
      const { allowed = {}, others = {} } = keys.get(scope) ?? {};
      return tenant === demo ? { "key with the scope": allowed, "key with all other scopes": others } : {};
    }
    if (scope === "") return {};
    return {
      "token with the scope": bearer(tokens.get(`${tenant.tenant} ${scope}`) ?? ""),
      "token with all other scopes": bearer(tokens.get(`${tenant.tenant} all but ${scope}`) ?? ""),
    };
  };
  const personHeaders = ({ tenant }: TestTenant, { agentId }: { agentId: string }): Headers => ({
    ...bearer(people.get(tenant) ?? ""),
    "x-agent-id": agentId,
  });
  /** The headers with which the tenant's programs are admitted, and its people. */
  const goodHeaders = (access: string, tenant: TestTenant, agent: { agentId: string; apiKey: string }): Headers[] => {
    const key = { "x-api-key": tenant.apiKey, ...agentHeaders(agent) };
    const program = tokenHeaders(access, tenant)["token with the scope"] ?? key;
    return [...(access === "person" ? [] : [program]), personHeaders(tenant, agent)];
  };

  it("has a row for every route, and a route for every row", () => {
    const why = "a route without a row: add it to test/support/declared-access.ts; a row without a route: take it out";

    expect({ why, routes: accessOf(uncalledTable) }).toEqual({ why, routes: declaredAccess });
    expect({ why, routes: accessOf(uncalledOperatorTable) }).toEqual({ why, routes: declaredOperatorAccess });
  });

  it.each([...Object.entries(declaredAccess), ...Object.entries(declaredOperatorAccess)])(
    "%s (%s) answers every kind of credential as declared",
    async (name, access) => {
      const wrong: string[] = [];
      const person = { "admin of the tenant": personHeaders(demo, approved) };
      for (const [kind, headers] of Object.entries({ ...sent, ...tokenHeaders(access, demo), ...person })) {
        const { answer } = await call(name, headers, "demo", access);
        const [wanted, got] = [expected(access, kind), seen(answer)];
        if (wanted !== got) wrong.push(`${kind}: ${got} instead of ${wanted}`);
      }

      expect(wrong).toEqual([]);
    },
  );

  it.each(Object.entries(declaredAccess).filter(([, access]) => access !== "none"))(
    "%s (%s) acts for the tenant and the agent of the credential alone",
    async (name, access) => {
      for (const [tenant, agent] of [
        [demo, approved],
        [demo, second],
        [other, foreign],
      ] as const) {
        for (const headers of goodHeaders(access, tenant, agent)) {
          const { requests } = await call(name, headers, tenant.tenant);

          const tenants = requests.flatMap((request) => ("tenant" in request ? [request.tenant] : []));
          expect(tenants.filter((one) => one !== tenant.tenant)).toEqual([]);
          const agents = requests.flatMap((request) => ("agentId" in request ? [request.agentId] : []));
          expect(agents.filter((one) => one !== agent.agentId)).toEqual([]);
        }
      }
    },
  );

  it.each(Object.entries(declaredAccess).filter(([name]) => name.includes("{tenant}")))(
    "%s (%s) knows nothing under another tenant's path, and asks nobody",
    async (name, access) => {
      for (const headers of goodHeaders(access, demo, approved)) {
        const { answer, requests } = await call(name, headers, "other");

        expect(answer.status).toBe(404);
        expect(requests).toEqual([]);
      }
    },
  );

  it("lets nobody in by another route's table: the operator's routes are not on the public port", async () => {
    for (const name of Object.keys(declaredOperatorAccess)) {
      if (declaredAccess[name] !== undefined) continue;
      const [method = "", path = ""] = name.split(" ");
      const { status } = await world.call(pathOf(path, "demo"), { method, headers: bearer(operatorToken) });

      expect([404, 405]).toContain(status);
    }
  });
});
