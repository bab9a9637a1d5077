import type { Gateway } from "../../../gateway/app";
import { operatorRules } from "../../../gateway/operator/operator-roles";
import { tenantRules } from "../../../gateway/tenant-roles";
import { DomainError } from "../../../services/shared/kernel/errors";
import { type ConsoleBrowser, openConsole } from "../../support/console-browser";
import { uncalledOperatorTable, uncalledTable } from "../../support/declared-access";
import { fieldOf } from "../../support/log-in";
import { mayCall } from "../../support/tenant-role-rules";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const [active, waiting] = demo.agents;
const someId = "11111111-2222-4333-8444-555555555555";

type Row = Pick<(typeof uncalledTable)[number], "method" | "path" | "body" | "scheme">;
const nameOf = ({ method, path }: Row): string => `${method} ${path}`;
const pathOf = ({ path }: Row): string => path.replaceAll("{tenant}", "demo").replaceAll(/\{\w+\}/g, someId);
const isClosed = ({ scheme }: Row): boolean => scheme !== "none";
/** Ends what asks: tried by itself elsewhere. */
const endsItself = (row: Row): boolean => nameOf(row) === "DELETE /session";
const codeOf = ({ json }: HttpAnswer): string => String(Reflect.get(Object(json) as object, "code"));

describe("the rows of the console", () => {
  let peers: Peers;
  let world: AccessWorld;
  let narrow: Gateway;

  beforeAll(async () => {
    peers = await startPeers({}, () => Promise.reject(new DomainError("RECORD_NOT_FOUND", "there is no such thing")));
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    const gateway = { ...targets, GATEWAY_DOORS: "public,operator,console", CONSOLE_PORT: "0" };
    world = await startAccessWorld({ tenants: [demo, other], gateway });
    narrow = await world.startGateway({ RATE_LIMIT_FACTOR: "1" });
  }, 60_000);
  afterAll(async () => {
    await world?.stop();
    await peers?.stop();
  });

  const urlOf = ({ consolePort }: Gateway): string => `http://127.0.0.1:${consolePort}`;
  const click = (person: string, gateway = world.gateway): Promise<ConsoleBrowser> =>
    openConsole(urlOf(gateway)).click(person);
  const refused = (answer: HttpAnswer, status: number, code: string) =>
    expect(answer).toMatchObject({ status, json: { code } });
  const bodyFor = ({ method, body }: Row): object | undefined =>
    method === "GET" || method === "DELETE" || body === "none" ? undefined : {};
  const agent = { "x-agent-id": active.agentId };

  /** The same call with the same session at another door. */
  const callElsewhere = (user: ConsoleBrowser, port: number | undefined, row: Row): Promise<HttpAnswer> => {
    const body = bodyFor(row);
    const token = [...user.cookies.values()].join("").slice(2);
    return httpCall(port ?? 0, pathOf(row), {
      method: row.method,
      headers: {
        ...agent,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };

  const people = [
    ["demo-viewer", "viewer"],
    ["demo-developer", "developer"],
    ["demo-finance", "finance"],
    ["demo-admin", "admin"],
  ] as const;

  it.each(people)("for %s are those of the public API, for the same roles", async (person, role) => {
    const user = await click(person);
    const { permissions } = (await user.get("/api/me")).json as { permissions: string[] };
    const wrong: unknown[] = [];
    for (const row of uncalledTable.filter((one) => isClosed(one) && !endsItself(one))) {
      const here = await user.send(row.method, `/api/t/demo${pathOf(row)}`, bodyFor(row), agent);
      const there = await callElsewhere(user, world.gateway.port, row);
      const isLetIn = codeOf(here) !== "AUTH_005";
      const isTold = permissions.includes(tenantRules[nameOf(row)] ?? "");
      const isSame = here.status === there.status && codeOf(here) === codeOf(there);
      if (!isSame || isLetIn !== mayCall(role, row) || isLetIn !== isTold) {
        wrong.push([nameOf(row), here.status, codeOf(here), there.status, codeOf(there), isTold]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(["support", "compliance", "treasury", "platform"])(
    "for an operator of %s are those of the operator API, for the same roles",
    async (person) => {
      const user = await click(person);
      const { permissions } = (await user.get("/api/me")).json as { permissions: string[] };
      const wrong: unknown[] = [];
      for (const row of uncalledOperatorTable.filter((one) => isClosed(one) && !endsItself(one))) {
        const here = await user.send(row.method, `/api/o${pathOf(row)}`, bodyFor(row));
        const there = await callElsewhere(user, world.gateway.operatorPort, row);
        const isLetIn = codeOf(here) !== "AUTH_005";
        const isTold = permissions.includes(operatorRules[nameOf(row)]?.permission ?? "");
        const isSame = here.status === there.status && codeOf(here) === codeOf(there);
        if (!isSame || (isLetIn !== isTold && !row.path.startsWith("/approvals/"))) {
          wrong.push([nameOf(row), here.status, codeOf(here), there.status, codeOf(there), isTold]);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it("are closed to who has no session, whatever key or token is sent", async () => {
    const token = await world.tokenOf(demo);
    const credentials = [
      {},
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${operatorToken}` },
      { "x-api-key": demo.apiKey, "x-agent-id": active.agentId, "x-agent-api-key": active.apiKey },
      { cookie: `corridor=t.session_${"a".repeat(43)}` },
      { cookie: "corridor=t.x; corridor=t.y" },
    ];
    for (const headers of credentials) {
      const stranger = openConsole(urlOf(world.gateway));
      const rows = ["/api/t/demo/v2/payments", "/api/t/demo/organizations/demo/webhooks", "/api/o/tenants"];
      for (const row of rows) refused(await stranger.get(row, headers), 401, "AUTH_001");
    }
    // Nor does a key let a person do more.
    const viewer = await click("demo-viewer");
    refused(await viewer.get("/api/t/demo/organizations/demo/agents", { "x-api-key": demo.apiKey }), 403, "AUTH_005");
  });

  it("are only those that ask for a credential", async () => {
    const [user, operator] = [await click("demo-admin"), await click("operator")];
    for (const row of uncalledTable.filter((one) => !isClosed(one))) {
      refused(await user.send(row.method, `/api/t/demo${pathOf(row)}`, bodyFor(row)), 404, "REQ_404");
    }
    for (const row of uncalledOperatorTable.filter((one) => !isClosed(one))) {
      refused(await operator.send(row.method, `/api/o${pathOf(row)}`, bodyFor(row)), 404, "REQ_404");
    }
    for (const path of ["/api", "/api/", "/api/none", "/api/t", "/api/t/", "/api/t/demo", "/api/o", "/api/auth/none"]) {
      refused(await user.get(path), 404, "REQ_404");
    }
  });

  it("of another tenant are not there, whether it exists or not", async () => {
    const user = await click("demo-admin");
    const shapeOf = ({ status, json }: HttpAnswer) => ({ status, ...(json as object), requestId: "" });
    const foreign = shapeOf(await user.get("/api/t/other/organizations/other/webhooks"));
    expect(foreign).toMatchObject({ status: 404, code: "REQ_404" });
    for (const path of ["/api/t/nobody/organizations/nobody/webhooks", "/api/t/demo/none"]) {
      expect(shapeOf(await user.get(path))).toEqual(foreign);
    }
    expect(codeOf(await user.get("/api/t/demo/organizations/other/webhooks"))).toMatch(/_404$/);
    refused(await user.get("/api/o/tenants"), 404, "REQ_404");
    refused(await (await click("operator")).get("/api/t/demo/v2/payments"), 404, "REQ_404");
  });

  it("of agents take an approved agent of the same tenant, without its key", async () => {
    const user = await click("demo-finance");
    const { agents } = (await user.get("/api/me")).json as { agents: { agentId: string }[] };
    expect(agents.map(({ agentId }) => agentId)).toContain(active.agentId);
    expect(agents.map(({ agentId }) => agentId)).not.toContain(waiting.agentId);
    const row = "/api/t/demo/fx/transactions/limits";
    expect(codeOf(await user.get(row, agent))).not.toMatch(/^AUTH_/);
    for (const agentId of [undefined, waiting.agentId, other.agents[0].agentId, someId]) {
      refused(await user.get(row, { "x-agent-id": agentId }), 403, "AUTH_002");
    }
  });

  it("leave each user a share of their own", async () => {
    const [greedy, modest] = [await click("demo-viewer", narrow), await click("demo-finance", narrow)];
    const codes = await Promise.all(
      Array.from({ length: 90 }, async () => codeOf(await greedy.get("/api/t/demo/session"))),
    );
    expect(codes).toContain("RL_001");
    expect((await modest.get("/api/t/demo/session")).status).toBe(200);
    const writes = await Promise.all(
      Array.from({ length: 30 }, async () => codeOf(await modest.send("POST", "/api/t/demo/v2/payment", {}))),
    );
    expect(writes).toContain("RL_001");
    expect((await modest.get("/api/t/demo/session")).status).toBe(200);
    // The tenant's programs have theirs.
    const token = await world.tokenOf(demo);
    const headers = { authorization: `Bearer ${token}` };
    expect((await httpCall(narrow.port ?? 0, "/v2/payments", { headers })).status).toBe(404);
  });

  it("tell who calls in /api/me", async () => {
    const me = await (await click("demo-finance")).get("/api/me");
    expect(me).toMatchObject({
      status: 200,
      json: {
        isOperator: false,
        tenants: [{ tenant: "demo", roles: ["finance"] }],
        roles: ["finance"],
        profile: "local",
      },
    });
    expect(fieldOf(me, "csrf")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    refused(await openConsole(urlOf(world.gateway)).get("/api/me"), 401, "AUTH_001");
  });
});
