import type { Gateway } from "../../../gateway/app";
import { operatorRoles } from "../../../services/shared/kernel/roles";
import { fieldOf, logIn, redirectUri, type Send, sendTo } from "../../support/log-in";
import { until } from "../../support/platform-client";
import { clientId, oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const strong = { amr: ["pwd", "otp"] };
const platform = (sub: string) => ({ sub, ...strong, groups: ["corridor:operators:platform"] });

describe("operators who are people", () => {
  let issuer: TestIssuer;
  let world: AccessWorld;
  let other: Gateway;
  let strict: Gateway;
  let now = new Date();
  const clock = { now: () => now };

  const at = (gateway: () => Gateway, isPublic = false): Send =>
    sendTo(() => (isPublic ? gateway().port : gateway().operatorPort) ?? 0);
  const send = at(() => world.gateway);
  const sendOther = at(() => other);
  const sendPublic = at(() => world.gateway, true);

  beforeAll(async () => {
    issuer = await startTestIssuer();
    world = await startAccessWorld({
      tenants: [demo],
      overrides: { clock },
      authFiles: (file) => ({
        AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)),
      }),
    });
    other = await world.startGateway();
    strict = await world.startGateway({ OPERATOR_FOUR_EYES: "on" });
  });
  beforeEach(() => {
    now = new Date();
  });
  afterAll(async () => {
    await world.stop();
    await issuer.stop();
  });

  const sessionOf = async (claims: Record<string, unknown>): Promise<string> => {
    const answer = await logIn(send, issuer, claims);
    expect(answer.status).toBe(201);
    return fieldOf(answer, "session");
  };
  const statusOf = async (token: string, by: Send = send): Promise<number> =>
    (await by("GET", "/tenants", undefined, token)).status;
  const refused = (answer: HttpAnswer, status = 401, code = "AUTH_001") =>
    expect(answer).toMatchObject({ status, json: { code } });

  it("log in with a code, PKCE, state and nonce, and say who they are", async () => {
    const begun = await send("POST", "/login", { redirectUri });
    const asked = Object.fromEntries(new URL(fieldOf(begun, "authorizationUrl")).searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge_method: "S256",
      acr_values: "urn:example:mfa",
      scope: "openid email",
    });
    expect(asked["code_challenge"]).toMatch(/^[\w-]{43}$/);

    const answer = await logIn(send, issuer, platform("ada"));
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json).toMatchObject({ tenant: null, roles: ["platform"], userId: expect.any(String) as string });
    const session = fieldOf(answer, "session");
    const shown = await send("GET", "/session", undefined, session);
    expect(shown.json).toMatchObject({ userId: fieldOf(answer, "userId"), roles: ["platform"] });
    expect(await statusOf(session)).toBe(200);
    refused(await send("POST", "/cases/x/commands", {}, session), 403, "AUTH_005");
    expect(await world.storeDump()).not.toContain(session);
    const { text } = await send("GET", "/audit", undefined, session);
    expect(text).toContain(`operator:user:${fieldOf(answer, "userId")}`);
  });

  it.each(operatorRoles.map((role) => [role]))(
    "have the role %s when the provider says so, and no other",
    async (role) => {
      const words = [
        `corridor:operators:${role}`,
        "corridor:operators:king",
        "corridor:demo:admin",
        "operators:treasury",
      ];
      const session = await sessionOf({
        sub: `with-${role}`,
        ...strong,
        groups: [...words, "corridor:operators:support:x"],
      });

      expect((await send("GET", "/session", undefined, session)).json).toMatchObject({ roles: [role] });
    },
  );

  it("are refused for every answer that does not fit the login", async () => {
    const claims = platform("mallory");
    const lies: Record<string, Parameters<typeof logIn>[3]> = {
      "another nonce": { lie: { claims: { nonce: "x" } } },
      "no nonce": { lie: { claims: { nonce: undefined } } },
      "another audience": { lie: { claims: { aud: "somebody" } } },
      "several audiences without azp": { lie: { claims: { aud: [clientId, "somebody"] } } },
      "another azp": { lie: { claims: { azp: "somebody" } } },
      "another issuer": { lie: { claims: { iss: "http://127.0.0.1:9" } } },
      "an old token": { lie: { claims: { exp: 1_000 } } },
      "a token from long ago": { lie: { claims: { iat: 1_000 } } },
      "a token of tomorrow": { lie: { claims: { nbf: Math.floor(Date.now() / 1_000) + 3_600 } } },
      "no end": { lie: { claims: { exp: undefined } } },
      "an unknown key": { lie: { signs: "unknown key" } },
      "the client's secret as key": { lie: { signs: "secret" } },
      "no signature": { lie: { signs: "nothing" } },
      "another state": { answer: { state: "x" } },
      "another code": { answer: { code: "x" } },
      "another issuer in the answer": { answer: { iss: "http://127.0.0.1:9" } },
      "another login": { answer: { login: `login_${"A".repeat(43)}` } },
    };
    const seen: Record<string, number> = {};
    for (const [name, lie] of Object.entries(lies)) seen[name] = (await logIn(send, issuer, claims, lie)).status;

    expect(seen).toEqual(Object.fromEntries(Object.keys(lies).map((name) => [name, 401])));
    expect((await send("GET", "/users", undefined, operatorToken)).text).not.toContain("mallory");
  });

  it("finish a login once, within ten minutes, where it was begun, and whoever has only the code cannot", async () => {
    const begun = await send("POST", "/login", { redirectUri });
    const [login, url] = [fieldOf(begun, "login"), fieldOf(begun, "authorizationUrl")];
    const state = new URL(url).searchParams.get("state") ?? "";
    const code = await issuer.codeFor(url, platform("ada"));
    const stolen = await send("POST", "/login", { redirectUri });
    const thief = {
      login: fieldOf(stolen, "login"),
      code,
      state: new URL(fieldOf(stolen, "authorizationUrl")).searchParams.get("state"),
    };
    refused(await send("POST", "/login/answer", thief));

    // Three codes, so that what is refused is the login's second end and not a code's second use.
    const codes = await Promise.all([1, 2, 3].map(() => issuer.codeFor(url, platform("ada"))));
    const both = await Promise.all(codes.map((fresh) => send("POST", "/login/answer", { login, code: fresh, state })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401]);

    const late = await send("POST", "/login", { redirectUri });
    const lateUrl = fieldOf(late, "authorizationUrl");
    const lateAnswer = {
      login: fieldOf(late, "login"),
      code: await issuer.codeFor(lateUrl, platform("ada")),
      state: new URL(lateUrl).searchParams.get("state"),
    };
    now = new Date(now.getTime() + 600_000);
    refused(await send("POST", "/login/answer", lateAnswer));

    now = new Date();
    const foreign = await send("POST", "/login", { redirectUri });
    const foreignUrl = fieldOf(foreign, "authorizationUrl");
    const elsewhere = {
      login: fieldOf(foreign, "login"),
      code: await issuer.codeFor(foreignUrl, platform("ada")),
      state: new URL(foreignUrl).searchParams.get("state"),
    };
    refused(await sendPublic("POST", "/login/answer", elsewhere));
  });

  it("are sent back to configured addresses alone", async () => {
    for (const uri of [
      "https://evil.example/callback",
      "http://127.0.0.1.evil.example/callback",
      "http://127.0.0.1:1/other",
      "https://console.example/callback?x",
      "https://console.example:444/callback",
      "javascript:alert(1)",
    ]) {
      const answer = await send("POST", "/login", { redirectUri: uri });
      expect([uri, answer.status]).toEqual([uri, 400]);
    }
    expect((await send("POST", "/login", { redirectUri: "https://console.example/callback" })).status).toBe(201);
  });

  it("need a second factor and a role", async () => {
    const groups = ["corridor:operators:platform"];
    refused(await logIn(send, issuer, { sub: "weak", groups }), 403, "AUTH_006");
    refused(await logIn(send, issuer, { sub: "weak", groups, amr: ["pwd"], acr: "0" }), 403, "AUTH_006");
    expect((await logIn(send, issuer, { sub: "acr", groups, acr: "urn:example:mfa" })).status).toBe(201);
    refused(await logIn(send, issuer, { sub: "nobody", ...strong }), 403, "AUTH_005");
    refused(
      await logIn(send, issuer, { sub: "king", ...strong, groups: ["corridor:operators:king"] }),
      403,
      "AUTH_005",
    );
    refused(await logIn(send, issuer, { sub: "tenant", ...strong, groups: ["corridor:demo:admin"] }), 403, "AUTH_005");
  });

  it("may show access tokens of the provider, and nothing else that it signs", async () => {
    const claims = platform("with-token");
    expect(await statusOf(await issuer.token(claims))).toBe(200);
    const wrong = {
      "an identity token": await issuer.token({ ...claims, aud: clientId, nonce: "n" }),
      "an identity token for the platform": await issuer.token({ ...claims, nonce: "n" }),
      "another audience": await issuer.token({ ...claims, aud: "somebody" }),
      "another client": await issuer.token({ ...claims, azp: "somebody" }),
      "no client": await issuer.token({ ...claims, azp: undefined }),
      "another issuer": await issuer.token({ ...claims, iss: "http://127.0.0.1:9" }),
      "an old one": await issuer.token({ ...claims, exp: 1_000 }),
      "one of tomorrow": await issuer.token({ ...claims, nbf: Math.floor(Date.now() / 1_000) + 3_600 }),
      "no signature": await issuer.token(claims, { signs: "nothing" }),
      "an unknown key": await issuer.token(claims, { signs: "unknown key" }),
      "an access token of ours": await world.tokenOf(demo),
      "a session of nobody": `session_${"A".repeat(43)}`,
    };
    const seen: Record<string, number> = {};
    for (const [name, token] of Object.entries(wrong)) seen[name] = await statusOf(token);

    expect(seen).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 401])));
    const weak = await issuer.token({ ...claims, amr: ["pwd"] });
    refused(await send("GET", "/tenants", undefined, weak), 403, "AUTH_006");
    refused(await send("DELETE", "/session", undefined, await issuer.token(claims)), 409, "OPS_409");
  });

  it("are known by a new key of the provider without a restart, and by what is kept while it is away", async () => {
    await issuer.rotate();
    const fresh = await issuer.token(platform("rotated"));
    await until(
      () => statusOf(fresh),
      (status) => status === 200,
      15_000,
    );
    const reads = issuer.keyReads();
    for (const sub of ["one", "two", "three"]) expect(await statusOf(await issuer.token(platform(sub)))).toBe(200);
    expect(issuer.keyReads()).toBe(reads);

    const session = await sessionOf(platform("rotated"));
    issuer.away(true);
    expect(await statusOf(await issuer.token(platform("four")))).toBe(200);
    expect(await statusOf(session)).toBe(200);
    expect((await logIn(send, issuer, platform("five"))).status).toBe(503);
    issuer.away(false);
  });

  it("are out at once, in every gateway, when their session is ended", async () => {
    const session = await sessionOf(platform("ada"));
    expect([await statusOf(session), await statusOf(session, sendOther)]).toEqual([200, 200]);
    expect((await send("DELETE", "/session", undefined, session)).status).toBe(204);
    expect(await statusOf(session)).toBe(401);
    expect(
      await until(
        () => statusOf(session, sendOther),
        (status) => status === 401,
        2_000,
      ),
    ).toBe(401);
  });

  it("are out at once when an admin ends all of it, shuts them out or takes their role", async () => {
    const eve = await logIn(send, issuer, {
      sub: "eve",
      ...strong,
      email: "eve@example.com",
      email_verified: true,
      groups: ["corridor:operators:support"],
    });
    const [userId, session] = [fieldOf(eve, "userId"), fieldOf(eve, "session")];
    const token = await issuer.token({ sub: "eve", ...strong, groups: ["corridor:operators:support"] });
    expect([await statusOf(session, sendOther), await statusOf(token, sendOther)]).toEqual([200, 200]);

    expect((await send("DELETE", `/users/${userId}/sessions`, undefined, operatorToken)).status).toBe(204);
    const gone = (one: string) =>
      until(
        () => statusOf(one, sendOther),
        (status) => status === 401,
        2_000,
      );
    expect([await gone(session), await gone(token)]).toEqual([401, 401]);

    const again = await sessionOf({ sub: "eve", ...strong, groups: ["corridor:operators:support"] });
    const change = (body: object) => send("PATCH", `/users/${userId}`, body, operatorToken);
    expect((await change({ roles: ["treasury"] })).status).toBe(200);
    expect((await send("GET", "/session", undefined, again)).json).toMatchObject({ roles: ["support", "treasury"] });
    expect((await change({ roles: [] })).status).toBe(200);
    expect((await send("GET", "/session", undefined, again)).json).toMatchObject({ roles: ["support"] });
    expect((await change({ isDisabled: true })).status).toBe(200);
    expect(await statusOf(again)).toBe(401);
    refused(await logIn(send, issuer, { sub: "eve", ...strong, groups: ["corridor:operators:support"] }));
    refused(
      await send(
        "GET",
        "/tenants",
        undefined,
        await issuer.token({ sub: "eve", ...strong, groups: ["corridor:operators:support"] }),
      ),
    );
  });

  it("are out when nobody uses the session, and when the day is over", async () => {
    const timed = await world.startGateway({}, clock);
    const [idle, busy] = [await sessionOf(platform("ada")), await sessionOf(platform("ada"))];
    const start = now.getTime();
    const later = (minutes: number, session: string) => {
      now = new Date(start + minutes * 60_000);
      return statusOf(
        session,
        at(() => timed),
      );
    };
    for (let minutes = 10; minutes < 480; minutes += 10) expect(await later(minutes, busy)).toBe(200);

    expect(await later(479, busy)).toBe(200);
    expect(await later(480, busy)).toBe(401);
    expect(await later(14, idle)).toBe(200);
    expect(await later(14 + 15, idle)).toBe(401);
  });

  it("come by an invitation of their verified address, once, and nobody changes himself", async () => {
    const invite = (email: string, roles: string[]) => send("POST", "/users", { email, roles }, operatorToken);
    const invited = await invite("Grace@Example.com", ["compliance", "platform"]);
    expect(invited).toMatchObject({ status: 201, json: { email: "grace@example.com", hasCome: false } });
    refused(await invite("grace@example.com", ["support"]), 409, "OPS_409");
    expect((await invite("x@example.com", ["king"])).status).toBe(400);
    expect((await invite("x@example.com", ["admin"])).status).toBe(400);
    expect((await invite("x@example.com", [])).status).toBe(400);

    const grace = { sub: "grace", ...strong, email: "grace@example.com" };
    refused(await logIn(send, issuer, grace), 403, "AUTH_005");
    refused(await logIn(send, issuer, { ...grace, email_verified: "true" }), 403, "AUTH_005");
    const come = await logIn(send, issuer, { ...grace, email_verified: true });
    expect(come).toMatchObject({
      status: 201,
      json: { userId: fieldOf(invited, "userId"), roles: ["compliance", "platform"] },
    });
    // The address belongs to another host later on.
    refused(await logIn(send, issuer, { ...grace, sub: "heir", email_verified: true }), 403, "AUTH_005");
    const session = fieldOf(come, "session");
    refused(
      await send("PATCH", `/users/${fieldOf(come, "userId")}`, { roles: [...operatorRoles] }, session),
      409,
      "OPS_409",
    );
    expect((await send("GET", "/users", undefined, session)).text).toContain("grace@example.com");
    expect(await world.storeDump()).not.toMatch(/grace@example/i);
    expect((await send("PATCH", "/users/nobody", { isDisabled: true }, operatorToken)).status).toBe(404);
  });

  it("are one person to four eyes, whatever they show", async () => {
    const sendStrict = at(() => strict);
    const [ada, bob] = [await sessionOf(platform("ada")), await sessionOf(platform("bob"))];
    const approve = (approval: string, token: string) =>
      sendStrict("POST", `/approvals/${approval}`, { approve: true }, token);
    const asked = await sendStrict("POST", "/users", { email: "new@example.com", roles: ["support"] }, ada);
    expect(asked.status).toBe(202);
    const approval = fieldOf(asked, "approval");

    const others = [await sessionOf(platform("ada")), await issuer.token(platform("ada"))];
    for (const token of others) expect((await approve(approval, token)).status).toBe(409);
    expect((await approve(approval, bob)).status).toBe(200);
  });

  /** A call where four eyes are on, with an approval or without. */
  const strictly = (method: string, path: string, body: object | undefined, token: string, approval?: string) =>
    httpCall(strict.operatorPort ?? 0, path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(approval === undefined ? {} : { "x-approval": approval }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("have taken their word back once their access was reduced, whether they asked or agreed", async () => {
    const invite = { email: "later@example.com", roles: ["support"] };
    const pair = async (name: string) => {
      const come = (sub: string) => logIn(send, issuer, platform(`${name}-${sub}`));
      const [asker, second] = [await come("asker"), await come("second")];
      const roles = ["treasury"];
      for (const one of [asker, second])
        await send("PATCH", `/users/${fieldOf(one, "userId")}`, { roles }, operatorToken);
      const asked = await strictly("POST", "/users", invite, fieldOf(asker, "session"));
      return { asker, second, approval: fieldOf(asked, "approval") };
    };
    const reductions: Record<string, (userId: string) => Promise<HttpAnswer>> = {
      disabled: (userId) => send("PATCH", `/users/${userId}`, { isDisabled: true }, operatorToken),
      lowered: (userId) => send("PATCH", `/users/${userId}`, { roles: ["support"] }, operatorToken),
      ended: (userId) => send("DELETE", `/users/${userId}/sessions`, undefined, operatorToken),
    };
    for (const [name, reduce] of Object.entries(reductions)) {
      const one = await pair(`${name}-1`);
      expect((await reduce(fieldOf(one.asker, "userId"))).status).toBeLessThan(300);
      const sent = await strictly("POST", "/users", invite, fieldOf(one.second, "session"), one.approval);
      expect([name, sent.status, fieldOf(sent, "code")]).toEqual([name, 409, "OPS_409"]);

      const other = await pair(`${name}-2`);
      const agree = { approve: true };
      const agreed = await strictly("POST", `/approvals/${other.approval}`, agree, fieldOf(other.second, "session"));
      expect(agreed.status).toBe(200);
      expect((await reduce(fieldOf(other.second, "userId"))).status).toBeLessThan(300);
      const again = await strictly("POST", "/users", invite, fieldOf(other.asker, "session"), other.approval);
      expect([name, again.status, fieldOf(again, "code")]).toEqual([name, 409, "OPS_409"]);
    }
    expect((await send("GET", "/users", undefined, operatorToken)).text).not.toContain("later@example.com");

    // A role more takes nothing back.
    const raised = await pair("raised");
    const roles = ["treasury", "support"];
    await send("PATCH", `/users/${fieldOf(raised.asker, "userId")}`, { roles }, operatorToken);
    const done = await strictly("POST", "/users", invite, fieldOf(raised.second, "session"), raised.approval);
    expect(done.status).toBe(201);
  });

  it("agree to no change of their own roles", async () => {
    const [ada, bob] = [await sessionOf(platform("ada")), await logIn(send, issuer, platform("own-bob"))];
    const path = `/users/${fieldOf(bob, "userId")}`;
    const roles = { roles: [...operatorRoles] };
    const asked = await strictly("PATCH", path, roles, ada);
    expect(asked.status).toBe(202);

    const approval = fieldOf(asked, "approval");
    refused(await strictly("PATCH", path, roles, fieldOf(bob, "session"), approval), 409, "OPS_409");
    const { json } = await send("GET", "/session", undefined, fieldOf(bob, "session"));
    expect(json).toMatchObject({ roles: ["platform"] });
  });

  it("guess in vain: an address that tries many sessions is shut out, and those who are good are not", async () => {
    const small = await world.startGateway({ RATE_LIMIT_FACTOR: "1" });
    const sendSmall = at(() => small);
    const session = await sessionOf(platform("ada"));
    expect(await statusOf(session, sendSmall)).toBe(200);
    const seen = new Set<number>();
    for (let tried = 0; tried < 260; tried += 1) {
      seen.add(await statusOf(`session_${String(tried).padStart(43, "A")}`, sendSmall));
    }
    expect([...seen].toSorted((a, b) => a - b)).toEqual([401, 429]);
    expect(await statusOf(session, sendSmall)).toBe(200);
  });
});
