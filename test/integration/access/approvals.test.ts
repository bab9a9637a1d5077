import { writeFileSync } from "node:fs";
import type { Gateway } from "../../../gateway/app";
import { operatorRules } from "../../../gateway/operator/operator-roles";
import { DomainError } from "../../../services/shared/kernel/errors";
import { operatorRoles } from "../../../services/shared/kernel/roles";
import { uncalledOperatorTable } from "../../support/declared-access";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type Peers, startPeers } from "../gateway/peers";
import { type AccessWorld, operatorToken as adaToken, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const bobToken = "another-token-of-at-least-32-characters";
const tokenOf = (role: string): string => `${role}-token-of-an-operator-in-a-test-0`;
const missing = new DomainError("RECORD_NOT_FOUND", "there is no such thing");
const field = (answer: HttpAnswer, name: string): string => String(Reflect.get(Object(answer.json) as object, name));

/** Who is for what, written from what each role is there for and not from the code. */
const commandsOf: Record<string, readonly string[]> = {
  support: [],
  compliance: ["reviews", "exceptions", "participants", "documents"],
  treasury: ["wallets", "payments", "cases", "ledger", "rates", "fx"],
  platform: ["tenants", "clients", "credentials", "agents", "signing-keys", "bus", "key-rings", "users"],
};
/** What only those may look at who decide over it: facts about persons, and who did what. */
const closedTo: Record<string, readonly string[]> = {
  "GET /reviews/{reviewId}": ["compliance"],
  "POST /tenants/{tenant}/participants/search": ["compliance"],
  "GET /tenants/{tenant}/documents/{documentId}": ["compliance"],
  "GET /tenants/{tenant}/documents/{documentId}/content": ["compliance"],
  "GET /sanction-reports": ["compliance"],
  "GET /audit": ["compliance", "platform"],
  "GET /audit/verify": ["compliance", "platform"],
};
const routes = uncalledOperatorTable.filter(({ scheme }) => scheme === "operator");
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const subjectOf = (path: string): string => {
  const words = path.split("/").filter((word) => word !== "" && !word.startsWith("{"));
  return words[0] === "tenants" && words.length > 1 ? (words[1] ?? "") : (words[0] ?? "");
};
const pathOf = (path: string): string => path.replaceAll(/\{\w+\}/g, "11111111-2222-4333-8444-555555555555");

describe("operators", () => {
  let peers: Peers;
  let world: AccessWorld;
  let gateway: Gateway;
  let strict: Gateway;
  let tokensFile: string;
  const done: { method: string; request: object }[] = [];
  let now = new Date("2026-11-22T12:00:00Z");
  const clock = { now: () => now };

  const lines = [
    `ada ${adaToken}`,
    `bob ${bobToken}`,
    ...operatorRoles.map((role) => `${role} ${tokenOf(role)} roles=${role} until=2026-12-01T00:00:00Z`),
  ];
  beforeAll(async () => {
    peers = await startPeers({}, (method, request) => {
      done.push({ method, request: Object(request) as object });
      return Promise.reject(missing);
    });
    const { AUTH_TARGET: _auth, ...targets } = peers.targets;
    world = await startAccessWorld({ tenants: [demo], gateway: targets, overrides: { clock } });
    tokensFile = world.file("several", `${lines.join("\n")}\n`);
    const env = { ...targets, OPERATOR_TOKENS_FILE: tokensFile };
    gateway = await world.startGateway(env, clock);
    strict = await world.startGateway({ ...env, OPERATOR_FOUR_EYES: "on" }, clock);
  });
  beforeEach(() => {
    done.length = 0;
    now = new Date("2026-11-22T12:00:00Z");
  });
  afterAll(async () => {
    await world.stop();
    await peers.stop();
  });

  const send = (on: Gateway, token: string, name: string, body?: object | string, approval?: string) => {
    const [method = "", path = ""] = name.split(" ");
    return httpCall(on.operatorPort ?? 0, path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(approval === undefined ? {} : { "x-approval": approval }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  };
  const call = (on: Gateway, token: string, name: string, body?: object | string, approval?: string) =>
    send(
      on,
      token,
      name.replace(/ (.*)$/, (_all, path: string) => ` ${pathOf(path)}`),
      body,
      approval,
    );

  it("have a rule for every route, and no other", () => {
    expect(Object.keys(operatorRules).toSorted()).toEqual(routes.map(nameOf).toSorted());
  });

  it.each(operatorRoles.map((role) => [role]))(
    "with the role %s may do what it is for, and nothing else",
    async (role) => {
      const wrong: string[] = [];
      for (const route of routes) {
        const name = nameOf(route);
        const isEverybodys = route.path.startsWith("/approvals") || route.path.startsWith("/session");
        const isRead = (route.method === "GET" || name in closedTo) && !isEverybodys;
        const isOwn = commandsOf[role]?.includes(subjectOf(route.path)) === true;
        const body = route.method === "GET" || route.method === "DELETE" ? undefined : "{}";
        const { status, json } = await call(gateway, tokenOf(role), name, body);
        const isLetIn = Reflect.get(Object(json) as object, "code") !== "AUTH_005";
        if (isRead && closedTo[name] !== undefined && isLetIn !== closedTo[name].includes(role)) wrong.push(name);
        // A role that decides over a thing sees it; support sees all that is not closed.
        if (isRead && closedTo[name] === undefined && (isOwn || role === "support") && !isLetIn) wrong.push(name);
        if (!isRead && !isEverybodys && isLetIn !== isOwn) wrong.push(`${name} ${status}`);
        if (isEverybodys && !isLetIn) wrong.push(name);
      }

      expect(wrong).toEqual([]);
    },
  );

  it("are told which roles a call needs, and the refusal is in the audit log", async () => {
    const answer = await call(gateway, tokenOf("support"), "POST /tenants", { tenant: "x" });

    expect(answer).toMatchObject({ status: 403, json: { code: "AUTH_005", details: { roles: ["platform"] } } });
    const { text } = await call(gateway, adaToken, "GET /audit");
    expect(text).toContain("ROLE_MISSING");
    expect((await call(gateway, adaToken, "GET /tenants")).text).not.toContain('"x"');
  });

  it("are somebody until their tokens end, and as long as they stand in the file, without a restart", async () => {
    const list = (token: string) => async () => (await call(gateway, token, "GET /tenants")).status;
    const soon = (token: string, status: number) => until(list(token), (one) => one === status, 8_000);
    now = new Date("2026-11-30T23:59:59.999Z");
    expect(await list(tokenOf("support"))()).toBe(200);
    now = new Date("2026-12-01T00:00:00Z");
    expect(await list(tokenOf("support"))()).toBe(401);

    const eve = "eve-has-a-token-of-32-characters-too";
    writeFileSync(tokensFile, `ada ${adaToken}\neve ${eve} roles=support\n`);
    expect(await soon(eve, 200)).toBe(200);
    expect(await list(bobToken)()).toBe(401);
    writeFileSync(tokensFile, `${lines.join("\n")}\n`);
    expect(await soon(bobToken, 200)).toBe(200);
    expect(await list(eve)()).toBe(401);
  });

  /** A body that passes the form of each command; all others have none or `{}`. */
  const bodies: Record<string, object> = {
    "POST /tenants": { tenant: "fresh" },
    "PATCH /tenants/{tenant}": { allowlist: ["10.0.0.0/8"] },
    "POST /users": { email: "ada@example.com", roles: ["support"] },
    "PATCH /users/{userId}": { isDisabled: true },
    "POST /tenants/{tenant}/users": { email: "ada@example.com", roles: ["viewer"] },
    "PATCH /tenants/{tenant}/users/{userId}": { roles: ["viewer"] },
    "POST /tenants/{tenant}/clients": { clientId: "c", scopes: ["fx"] },
    "PATCH /tenants/{tenant}/clients/{clientId}": { isDisabled: true },
    "POST /tenants/{tenant}/credentials": { kind: "key", owner: "demo" },
    "PUT /tenants/{tenant}/credentials/{credentialId}/bounds": { scopes: ["agents"] },
    "PUT /tenants/{tenant}/agents/{agentId}/status": { status: "ACTIVE" },
    "PUT /tenants/{tenant}/wallets/{walletId}/status": { status: "FROZEN" },
    "POST /tenants/{tenant}/payments/{paymentId}/reversal": { approve: true },
    "POST /cases/{caseId}/commands": { commandId: "5a9f4f0e-9d1c-4a6b-8f0e-2b7c1d3e4f5a", command: "close", note: "n" },
    "POST /tenants/{tenant}/reviews/{reviewId}": { approve: true, note: "n" },
    "POST /tenants/{tenant}/reviews/{reviewId}/release": { approve: true, authorityReference: "a", note: "n" },
    "POST /tenants/{tenant}/reviews/{reviewId}/report": { reference: "r" },
    "POST /ledger/break-resolutions": { breakId: "b", note: "n" },
    "POST /ledger/corrections": {
      ...{ entryId: "e", kind: "k", reason: "r" },
      postings: ["5", "-5"].map((minor) => ({ account: "platform/fees", currency: "USD", minor })),
    },
    "POST /rates/{currency}/release": { holdId: "h", rate: "1", note: "n" },
    "PUT /fx/exposure/{currency}/limit": { limitMinor: "1", note: "n" },
    "PUT /ledger/floors": { account: "tenant/demo/funding", currency: "USD", floorMinor: "-1" },
    "POST /tenants/{tenant}/documents/{documentId}/decision": { accept: true, note: "n" },
    "POST /bus/{service}/replays": { replayId: "r", since: "2026-11-22T00:00:00Z" },
    "POST /key-rings/{service}/renewals": { renewalId: "r" },
  };
  const namedParams = (name: string): string =>
    name.replace("{service}", "auth").replace("{sequence}", "1").replace("{stream}", "CORRIDOR_AUTH");
  const bodyOf = (name: string) => (name.startsWith("DELETE") ? undefined : (bodies[name] ?? {}));
  const commands = routes.map(nameOf).filter((name) => operatorRules[name]?.isCommand === true);

  it("cannot change anything alone where four eyes are on, by any route", async () => {
    const reads = routes.map(nameOf).filter((name) => !commands.includes(name) && !name.startsWith("GET "));
    expect(reads).toEqual([
      // These only take access away, one's own or what a login brings back.
      "DELETE /session",
      "DELETE /sessions/{sessionId}",
      "DELETE /users/{userId}/sessions",
      "DELETE /tenants/{tenant}/users/{userId}/sessions",
      "POST /tenants/{tenant}/participants/search",
      "POST /approvals/{approvalId}",
    ]);
    for (const name of commands) {
      const path = namedParams(name);
      const asked = await call(strict, adaToken, path, bodyOf(name));
      expect([name, asked.status]).toEqual([name, 202]);
      const approval = field(asked, "approval");

      const own = await call(strict, adaToken, path, bodyOf(name), approval);
      const invented = await call(strict, bobToken, path, bodyOf(name), "11111111-2222-4333-8444-555555555555");
      const nonsense = await call(strict, bobToken, path, bodyOf(name), "x");
      const agreed = await call(strict, adaToken, `POST /approvals/${approval}`, { approve: true });
      expect([own, invented, nonsense, agreed].map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    }
    expect(done).toEqual([]);
    // Everything that can be asked for is there, and nothing of it has happened.
    const { text } = await call(strict, adaToken, "GET /approvals?limit=200");
    expect(text.split('"WAITING"').length - 1).toBeGreaterThanOrEqual(commands.length);
    expect((await call(strict, adaToken, "GET /tenants")).text).not.toContain("fresh");
  });

  it("refuse a command of the wrong form before anybody is asked", async () => {
    expect(await call(strict, adaToken, "POST /tenants", {})).toMatchObject({ status: 400, json: { code: "VE_001" } });
    expect((await call(strict, adaToken, "GET /approvals?state=NEVER")).status).toBe(400);
  });

  const post = "POST /tenants";
  const ask = async (tenant: string, token = adaToken) =>
    field(await call(strict, token, post, { tenant }), "approval");

  it("carry out a command when the second one sends the same, once", async () => {
    const approval = await ask("once");
    for (const [name, body] of [
      [post, { tenant: "twice" }],
      [post, '{"tenant": "once"}'],
      ["PATCH /tenants/once", { tenant: "once" }],
      [`${post}?x=1`, { tenant: "once" }],
    ] as const) {
      expect((await call(strict, bobToken, name, body, approval)).status).not.toBe(201);
    }
    const both = await Promise.all([1, 2, 3].map(() => call(strict, bobToken, post, { tenant: "once" }, approval)));

    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const shown = await call(strict, bobToken, `GET /approvals/${approval}`);
    expect(shown).toMatchObject({ json: { state: "SPENT", asker: "ada", decidedBy: "bob", body: null } });
  });

  it("carry out a command when its asker sends it again after somebody else agreed", async () => {
    const approval = await ask("agreed");
    const shown = await call(strict, bobToken, `GET /approvals/${approval}`);
    expect(shown).toMatchObject({
      json: { action: post, asker: "ada", state: "WAITING", body: '{"tenant":"agreed"}' },
    });
    const list = await call(strict, bobToken, "GET /approvals");
    expect(list.text).toContain(approval);
    expect(list.text).not.toContain("agreed");

    expect((await call(strict, bobToken, `POST /approvals/${approval}`, { approve: true })).status).toBe(200);
    expect((await call(strict, adaToken, post, { tenant: "agreed" }, approval)).status).toBe(201);
    expect((await call(strict, adaToken, post, { tenant: "agreed" }, approval)).status).toBe(409);
    const { text } = await call(strict, adaToken, "GET /audit");
    const { records } = JSON.parse(text) as { records: { action: string; outcome: string }[] };
    expect(records.filter(({ action }) => action === post).map(({ outcome }) => outcome)).toContain("asked");
  });

  it("agree to nothing that their own roles do not allow, and see nothing of it", async () => {
    const approval = await ask("foreign");

    for (const role of ["support", "compliance", "treasury"]) {
      const refused = { status: 403, json: { code: "AUTH_005" } };
      expect(await call(strict, tokenOf(role), `GET /approvals/${approval}`)).toMatchObject(refused);
      const decide = call(strict, tokenOf(role), `POST /approvals/${approval}`, { approve: true });
      expect(await decide).toMatchObject(refused);
      expect(await call(strict, tokenOf(role), post, { tenant: "foreign" }, approval)).toMatchObject(refused);
    }
    expect((await call(strict, tokenOf("platform"), post, { tenant: "foreign" }, approval)).status).toBe(201);
  });

  it("have taken their word back once their token is gone, has ended or has lost the role, whether they asked or agreed", async () => {
    const carl = "carl-has-a-token-of-32-characters-too";
    const write = async (line: string, status: number): Promise<void> => {
      writeFileSync(tokensFile, `${[...lines, line].join("\n")}\n`);
      const seen = async () => (await call(strict, carl, post, { tenant: "x" }, "x")).status;
      expect(await until(seen, (one) => one === status, 8_000)).toBe(status);
    };
    const reductions: Record<string, () => Promise<void>> = {
      gone: () => write("", 401),
      "of another role": () => write(`carl ${carl} roles=support`, 403),
      over: async () => {
        now = new Date("2026-11-22T13:00:00Z");
      },
    };
    for (const [name, reduce] of Object.entries(reductions)) {
      now = new Date("2026-11-22T12:00:00Z");
      await write(`carl ${carl} roles=platform until=2026-11-22T13:00:00Z`, 409);
      const [asked, agreed] = [await ask("asked-by-carl", carl), await ask("agreed-by-carl")];
      expect((await call(strict, carl, `POST /approvals/${agreed}`, { approve: true })).status).toBe(200);
      await reduce();

      const sent = await call(strict, bobToken, post, { tenant: "asked-by-carl" }, asked);
      const again = await call(strict, adaToken, post, { tenant: "agreed-by-carl" }, agreed);
      expect([name, sent.status, again.status]).toEqual([name, 409, 409]);
    }
    writeFileSync(tokensFile, `${lines.join("\n")}\n`);
    expect((await call(strict, adaToken, "GET /tenants")).text).not.toContain("by-carl");
  });

  it("carry out nothing that was refused or is older than a day", async () => {
    const [refused, old, oldAgreed] = [await ask("refused"), await ask("old"), await ask("old-agreed")];
    await call(strict, bobToken, `POST /approvals/${refused}`, { approve: false });
    await call(strict, bobToken, `POST /approvals/${oldAgreed}`, { approve: true });
    now = new Date("2026-11-23T12:00:00Z");

    expect((await call(strict, bobToken, post, { tenant: "refused" }, refused)).status).toBe(409);
    expect((await call(strict, bobToken, post, { tenant: "old" }, old)).status).toBe(409);
    expect((await call(strict, adaToken, post, { tenant: "old-agreed" }, oldAgreed)).status).toBe(409);
    expect((await call(strict, bobToken, `POST /approvals/${old}`, { approve: true })).status).toBe(409);
    expect((await call(strict, bobToken, "GET /approvals")).json).toMatchObject({ approvals: [] });
  });
});
