import type { Gateway } from "../../../gateway/app";
import type { Running } from "../../../services/shared/process/lifecycle";
import { fieldOf, type Send, sendTo } from "../../support/log-in";
import { clientId, oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import type { HttpAnswer } from "../gateway/http-call";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const strong = { amr: ["pwd", "otp"] };
const platform = (sub: string) => ({ sub, ...strong, groups: ["corridor:operators:platform"] });
const finance = (sub: string, tenant = "demo") => ({ sub, ...strong, groups: [`corridor:${tenant}:finance`] });

describe("people who log in at a device", () => {
  let issuer: TestIssuer;
  let world: AccessWorld;
  let replica: Running & { port: number };
  let second: Gateway;
  let now = new Date();

  const at = (gateway: () => Gateway, isPublic = false): Send =>
    sendTo(() => (isPublic ? gateway().port : gateway().operatorPort) ?? 0);
  const send = at(() => world.gateway);
  const sendPublic = at(() => world.gateway, true);
  /** The same doors of a gateway before another auth service. */
  const sendSecond = at(() => second);

  beforeAll(async () => {
    issuer = await startTestIssuer();
    world = await startAccessWorld({
      tenants: [demo, other],
      overrides: { clock: { now: () => now } },
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
    replica = await world.startAuthReplica();
    second = await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${replica.port}` });
  });
  beforeEach(() => {
    now = new Date();
    issuer.deviceChanges({});
  });
  afterAll(async () => {
    await world.stop();
    await issuer.stop();
  });

  const refused = (answer: HttpAnswer, status = 401, code = "AUTH_001") =>
    expect(answer).toMatchObject({ status, json: { code } });
  const pass = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  const begin = async (by: Send = send, body?: object) => {
    const begun = await by("POST", "/login/device", body);
    expect(begun.status).toBe(201);
    return { login: fieldOf(begun, "login"), userCode: fieldOf(begun, "userCode"), begun };
  };
  const ask = (login: string, by: Send = send) => by("POST", "/login/device/answer", { login });
  type PersonsAnswer = Parameters<TestIssuer["answerDevice"]>[1];
  /** Begins a login, has the person answer at the issuer, and asks when the interval is over. */
  const logIn = async (answer: PersonsAnswer, by: Send = send, body?: object): Promise<HttpAnswer> => {
    const { login, userCode } = await begin(by, body);
    await issuer.answerDevice(userCode, answer);
    pass(7);
    return ask(login, by);
  };
  const sessionIn = ({ json }: HttpAnswer): string =>
    String((json as { session?: { session?: string } | null }).session?.session);

  it("are shown a code, and get a session of their own at either replica once they have entered it", async () => {
    const { login, userCode, begun } = await begin();
    expect(begun.headers["cache-control"]).toBe("no-store");
    expect(begun.json).toEqual({
      login: expect.stringMatching(/^device_[\w-]{43}$/) as string,
      userCode,
      verificationUri: `${issuer.url}/go`,
      verificationUriComplete: `${issuer.url}/go?code=${userCode}`,
      expiresAt: new Date(now.getTime() + 600_000).toISOString(),
      intervalSeconds: 7,
    });
    const question = { scope: "openid email", max_age: "300", acr_values: "urn:example:mfa", client_id: clientId };
    expect(issuer.deviceForm()).toEqual(question);
    expect(await world.storeDump()).not.toContain("device-code-");

    pass(7);
    expect((await ask(login, sendSecond)).json).toEqual({ state: "PENDING", intervalSeconds: 7 });
    await issuer.answerDevice(userCode, { claims: platform("ada") });
    pass(7);
    const done = await ask(login);
    expect(done.headers["cache-control"]).toBe("no-store");
    expect(done).toMatchObject({
      status: 200,
      json: { state: "DONE", session: { tenant: null, roles: ["platform"] } },
    });
    const session = sessionIn(done);
    expect((await sendSecond("GET", "/tenants", undefined, session)).status).toBe(200);
    expect(await world.storeDump()).not.toContain(session);
    expect(await world.storeDump()).not.toContain(login);
    refused(await ask(login));
  });

  it("ask no issuer more often than it allows, at both replicas together, and wait longer for each try", async () => {
    const { login, userCode } = await begin();
    await issuer.answerDevice(userCode, { claims: platform("ada") });
    const asks = issuer.deviceAsks();
    pass(6);
    expect((await ask(login)).json).toMatchObject({ state: "SLOW_DOWN", intervalSeconds: 12 });
    expect((await ask(login, sendSecond)).json).toMatchObject({ state: "SLOW_DOWN", intervalSeconds: 17 });
    expect(issuer.deviceAsks()).toBe(asks);

    pass(1);
    const both = await Promise.all([send, sendSecond, send, sendSecond].map((by) => ask(login, by)));
    expect(issuer.deviceAsks()).toBe(asks + 1);
    const states = both.map((one) => (one.status === 200 ? fieldOf(one, "state") : String(one.status)));
    expect(states.filter((state) => state === "DONE")).toHaveLength(1);
    expect(states.every((state) => ["DONE", "SLOW_DOWN", "401"].includes(state))).toBe(true);
    refused(await ask(login));

    const slowed = await begin();
    await issuer.answerDevice(slowed.userCode, { error: "slow_down" });
    pass(7);
    expect((await ask(slowed.login)).json).toMatchObject({ state: "SLOW_DOWN", intervalSeconds: 12 });
    pass(7);
    expect((await ask(slowed.login)).json).toMatchObject({ state: "PENDING", intervalSeconds: 12 });
    const before = issuer.deviceAsks();
    pass(11);
    expect((await ask(slowed.login)).json).toMatchObject({ state: "SLOW_DOWN", intervalSeconds: 17 });
    expect(issuer.deviceAsks()).toBe(before);
  });

  it("are told that they denied it or were too late, once", async () => {
    for (const [error, state] of [
      ["access_denied", "DENIED"],
      ["expired_token", "EXPIRED"],
    ] as const) {
      const { login, userCode } = await begin();
      await issuer.answerDevice(userCode, { error });
      pass(7);
      expect((await ask(login)).json).toEqual({ state, intervalSeconds: 7 });
      refused(await ask(login, sendSecond));
    }
    const late = await begin();
    await issuer.answerDevice(late.userCode, { claims: platform("ada") });
    pass(600);
    const asks = issuer.deviceAsks();
    expect((await ask(late.login)).json).toEqual({ state: "EXPIRED", intervalSeconds: 7 });
    refused(await ask(late.login));
    expect(issuer.deviceAsks()).toBe(asks);

    issuer.deviceChanges({ expires_in: 100_000, interval: 1 });
    const { begun } = await begin();
    const bounded = { expiresAt: new Date(now.getTime() + 600_000).toISOString(), intervalSeconds: 5 };
    expect(begun.json).toMatchObject(bounded);
  });

  it("are refused for every token that does not fit, and the login is over then", async () => {
    const claims = platform("mallory");
    const lies: Record<string, PersonsAnswer> = {
      "a nonce": { claims, lie: { claims: { nonce: "of another login" } } },
      "another audience": { claims, lie: { claims: { aud: "somebody" } } },
      "several audiences without azp": { claims, lie: { claims: { aud: [clientId, "somebody"] } } },
      "another azp": { claims, lie: { claims: { azp: "somebody" } } },
      "another issuer": { claims, lie: { claims: { iss: "http://127.0.0.1:9" } } },
      "an old token": { claims, lie: { claims: { exp: 1_000 } } },
      "a token from long ago": { claims, lie: { claims: { iat: 1_000 } } },
      "an unknown key": { claims, lie: { signs: "unknown key" } },
      "the client's secret as key": { claims, lie: { signs: "secret" } },
      "no signature": { claims, lie: { signs: "nothing" } },
      "an unknown error": { error: "constructor" },
      "a used code": { error: "invalid_grant" },
    };
    const seen: Record<string, number[]> = {};
    for (const [name, lie] of Object.entries(lies)) {
      const { login, userCode } = await begin();
      await issuer.answerDevice(userCode, lie);
      pass(7);
      const first = await ask(login);
      await issuer.answerDevice(userCode, { claims });
      pass(7);
      seen[name] = [first.status, (await ask(login)).status];
    }

    expect(seen).toEqual(Object.fromEntries(Object.keys(lies).map((name) => [name, [401, 401]])));
    expect((await send("GET", "/users", undefined, operatorToken)).text).not.toContain("mallory");
  });

  it("need a second factor and a role, and belong to one tenant, as in a browser", async () => {
    const groups = ["corridor:operators:platform"];
    refused(await logIn({ claims: { sub: "weak", groups, amr: ["pwd"] } }), 403, "AUTH_006");
    refused(await logIn({ claims: { sub: "nobody", ...strong } }), 403, "AUTH_005");
    const there = await logIn({ claims: finance("fin") }, sendPublic, { tenant: "demo" });
    expect(there.json).toMatchObject({ state: "DONE", session: { tenant: "demo", roles: ["finance"] } });
    const shown = await sendPublic("GET", "/session", undefined, sessionIn(there));
    expect(shown.json).toMatchObject({ tenant: "demo", roles: ["finance"] });
    refused(await logIn({ claims: finance("fin") }, sendPublic, { tenant: "other" }));
    refused(await logIn({ claims: finance("ghost", "ghost") }, sendPublic, { tenant: "ghost" }));
    expect(await world.storeDump()).not.toContain("ghost");

    const invited = await send("POST", "/users", { email: "grace@example.com", roles: ["support"] }, operatorToken);
    expect(invited.status).toBe(201);
    const grace = { sub: "grace", ...strong, email: "grace@example.com", email_verified: true };
    expect((await logIn({ claims: grace })).json).toMatchObject({ session: { userId: fieldOf(invited, "userId") } });
  });

  it("finish a login at the door where it was begun, and never with that of a browser", async () => {
    const { login, userCode } = await begin();
    await issuer.answerDevice(userCode, { claims: platform("ada") });
    pass(7);
    refused(await ask(login, sendPublic));
    refused(await ask(`device_${"A".repeat(43)}`));
    const inBrowser = await send("POST", "/login", { redirectUri: "http://127.0.0.1/callback" });
    expect((await ask(fieldOf(inBrowser, "login"))).status).toBe(400);
    expect((await ask(login)).json).toMatchObject({ state: "DONE" });
  });

  it("are asked for again while the issuer is away, and a session comes of it when it is back", async () => {
    const { login, userCode } = await begin();
    await issuer.answerDevice(userCode, { claims: platform("ada") });
    issuer.away(true);
    pass(7);
    expect((await ask(login)).status).toBe(503);
    expect((await send("POST", "/login/device")).status).toBe(503);
    issuer.away(false);
    expect((await ask(login)).json).toMatchObject({ state: "SLOW_DOWN" });
    pass(12);
    expect((await ask(login)).json).toMatchObject({ state: "DONE" });
  });

  it("are not led by an issuer to addresses and codes that harm a terminal or a browser", async () => {
    for (const lie of [
      { verification_uri: "javascript:alert(1)" },
      { verification_uri: "file:///etc/passwd" },
      { verification_uri: undefined },
      { user_code: "\u001b]0;owned\u0007" },
      { user_code: "x".repeat(65) },
      { device_code: "" },
      { expires_in: "600" },
      { expires_in: -1 },
    ]) {
      issuer.deviceChanges(lie);
      expect([lie, (await send("POST", "/login/device")).status]).toEqual([lie, 503]);
    }
    issuer.deviceChanges({ verification_uri_complete: "javascript:alert(1)", interval: "x" });
    const { begun } = await begin();
    expect(begun.json).toMatchObject({ verificationUriComplete: null, intervalSeconds: 5 });
  });

  it("are told where no issuer lets devices log in", async () => {
    issuer.deviceChanges({ error: "unauthorized_client" });
    const answer = await send("POST", "/login/device");
    refused(answer, 404, "OPS_404");
    expect(answer.text).toContain("device grant");

    const bare = await startTestIssuer({ hasDevices: false });
    const without = await world.startAuthReplica({ AUTH_OIDC_FILE: world.file("bare.json", oidcSettings(bare)) });
    const gateway = await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${without.port}` });
    refused(await at(() => gateway)("POST", "/login/device"), 404, "OPS_404");
    refused(await at(() => gateway, true)("POST", "/login/device", { tenant: "demo" }), 404, "OPS_404");
    await without.stop();
    await bare.stop();
  });

  it("are strangers until they are logged in: who begins logins or asks about them without an end is shut out", async () => {
    const gateway = await world.startGateway({ RATE_LIMIT_FACTOR: "1" });
    const small = at(() => gateway, true);
    const { login } = await begin(small, { tenant: "demo" });
    expect((await ask(login, small)).status).toBe(200);
    /** What the address is answered, until it has used up its share. Malformed requests count, and cost the least. */
    const answersTo = async (path: string): Promise<number[]> => {
      const seen = new Set<number>();
      for (let round = 0; round < 50 && !seen.has(429); round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 16 }, () => small("POST", path, { login: 1, tenant: 1 })),
        );
        for (const { status } of answers) seen.add(status);
      }
      return [...seen].toSorted((one, another) => one - another);
    };
    expect(await answersTo("/login/device/answer")).toEqual([400, 429]);
    expect((await answersTo("/login/device")).at(-1)).toBe(429);
  });
});
