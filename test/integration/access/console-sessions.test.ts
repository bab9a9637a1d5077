import type { Gateway } from "../../../gateway/app";
import { type ConsoleBrowser, openConsole } from "../../support/console-browser";
import { fieldOf } from "../../support/log-in";
import { until } from "../../support/platform-client";
import { oidcSettings, startTestIssuer, type TestIssuer } from "../../support/test-issuer";
import type { HttpAnswer } from "../gateway/http-call";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const other = makeTenant("other");
const minutes = 60_000;
const hours = 60 * minutes;
const list = "/api/t/demo/organizations/demo/agents";

describe("a session at the console", () => {
  let issuer: TestIssuer;
  let world: AccessWorld;
  let second: Gateway;
  let now = new Date();
  const clock = { now: () => now };
  const later = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };

  beforeAll(async () => {
    issuer = await startTestIssuer();
    const gateway = { GATEWAY_DOORS: "public,operator,console", CONSOLE_PORT: "0" };
    world = await startAccessWorld({
      tenants: [demo, other],
      overrides: { clock },
      gateway,
      authFiles: (file) => ({ AUTH_OIDC_FILE: file("oidc.json", oidcSettings(issuer)) }),
    });
    second = await world.startGateway({ GATEWAY_DOORS: "console" }, clock);
  });
  beforeEach(() => {
    now = new Date();
  });
  afterAll(async () => {
    await world?.stop();
    await issuer?.stop();
  });

  const urlOf = ({ consolePort }: Gateway): string => `http://127.0.0.1:${consolePort}`;
  const browser = (): ConsoleBrowser => openConsole(urlOf(world.gateway));
  const click = (person: string): Promise<ConsoleBrowser> => browser().click(person);
  /** At the replica whose time is that of the test. */
  const clickInTime = (person: string): Promise<ConsoleBrowser> => openConsole(urlOf(second)).click(person);
  /** The same browser at the second replica, which has a port of its own here. */
  const elsewhere = ({ cookies }: ConsoleBrowser): ConsoleBrowser => {
    const there = openConsole(urlOf(second));
    for (const [name, value] of cookies) there.cookies.set(name, value);
    return there;
  };
  const refused = (answer: HttpAnswer, status: number, code: string) =>
    expect(answer).toMatchObject({ status, json: { code } });
  const isOver = async (user: ConsoleBrowser): Promise<boolean> => (await user.get("/api/me")).status === 401;
  const endsSoon = async (user: ConsoleBrowser): Promise<void> =>
    expect(await until(() => isOver(user), Boolean, 5_000)).toBe(true);

  it("is of one replica as of the other, and ends at both when its user logs out", async () => {
    const user = await click("demo-admin");
    const there = elsewhere(user);
    expect((await there.get(list)).status).toBe(200);
    expect((await user.send("POST", "/api/auth/logout")).status).toBe(204);
    expect(user.cookies.size).toBe(0);
    await endsSoon(there);
    refused(await there.get(list), 401, "AUTH_001");
  });

  it("is listed and ended by its own user, and by nobody else's", async () => {
    const [here, away] = [await click("demo-finance"), await click("demo-finance")];
    const { sessions } = (await here.get("/api/t/demo/sessions")).json as {
      sessions: { sessionId: string; isCurrent: boolean }[];
    };
    expect(sessions.length).toBeGreaterThanOrEqual(2);
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const [newest] = sessions;
    expect(newest?.isCurrent).toBe(false);
    const path = `/api/t/demo/sessions/${newest?.sessionId}`;
    refused(await (await click("demo-admin")).send("DELETE", path), 404, "OPS_404");
    expect(await isOver(away)).toBe(false);
    expect((await here.send("DELETE", path)).status).toBe(204);
    await endsSoon(away);
    expect(await isOver(here)).toBe(false);
    refused(await here.send("DELETE", path), 404, "OPS_404");
  });

  it("of an operator is listed and ended in the same way", async () => {
    const [here, away] = [await click("treasury"), await click("treasury")];
    const { sessions } = (await here.get("/api/o/sessions")).json as { sessions: { sessionId: string }[] };
    expect((await here.send("DELETE", `/api/o/sessions/${sessions[0]?.sessionId}`)).status).toBe(204);
    await endsSoon(away);
    expect(await isOver(here)).toBe(false);
  });

  it("ends after half an hour without use, and after twelve hours of use", async () => {
    const [idle, busy] = [await clickInTime("demo-viewer"), await clickInTime("demo-viewer")];
    const polling = await clickInTime("demo-viewer");
    const poll = async () => (await polling.get("/api/t/demo/session", { "x-background": "1" })).status;
    later(20 * minutes);
    expect(await poll()).toBe(200);
    later(9 * minutes);
    expect([await isOver(idle), await isOver(busy)]).toEqual([false, false]);
    for (let passed = 0; passed < 11 * hours + 25 * minutes; passed += 5 * minutes) {
      later(5 * minutes);
      expect(await isOver(busy)).toBe(false);
      expect(await poll()).toBe(401);
    }
    expect(await isOver(idle)).toBe(true);
    later(10 * minutes);
    expect(await isOver(busy)).toBe(true);
  });

  it("of an operator ends after a quarter of an hour without use, and after eight hours of use", async () => {
    const [idle, busy] = [await clickInTime("support"), await clickInTime("support")];
    for (let passed = 0; passed < 8 * hours - 5 * minutes; passed += 5 * minutes) {
      later(5 * minutes);
      expect(await isOver(busy)).toBe(false);
    }
    expect(await isOver(idle)).toBe(true);
    later(5 * minutes);
    expect(await isOver(busy)).toBe(true);
  });

  it("ends with its user, at whichever replica, and when an admin ends all of the user's", async () => {
    const admin = await click("demo-admin");
    const users = "/api/t/demo/organizations/demo/users";
    const victims = [await click("demo-developer"), await click("demo-developer")] as const;
    const userId = fieldOf(await victims[0].get("/api/me"), "userId");
    expect((await admin.send("DELETE", `${users}/${userId}/sessions`)).status).toBe(204);
    await endsSoon(victims[0]);
    await endsSoon(elsewhere(victims[1]));
    const again = await click("demo-developer");
    expect((await admin.send("PATCH", `${users}/${userId}`, { isDisabled: true })).status).toBe(200);
    await endsSoon(elsewhere(again));
    expect((await browser().send("POST", "/api/auth/local", { person: "demo-developer" })).status).toBe(401);
  });

  it("ends with its tenant", async () => {
    const user = await click("other-admin");
    const away = "/api/t/other/organizations/other/agents";
    expect((await user.get(away)).status).toBe(200);
    expect((await world.operate("PATCH", "/tenants/other", { isDisabled: true })).status).toBe(200);
    expect(
      await until(
        async () => (await user.get(away)).status,
        (status) => status === 401,
        5_000,
      ),
    ).toBe(401);
    await world.operate("PATCH", "/tenants/other", { isDisabled: false });
  });

  it("begins anew with every login, and the one before ends", async () => {
    const user = await click("demo-second");
    const [before, value] = [elsewhere(user), user.csrf()];
    expect(await isOver(before)).toBe(false);
    await user.click("demo-second");
    expect(user.csrf()).not.toBe(value);
    await endsSoon(before);
  });

  describe("that comes from the identity provider", () => {
    const claims = (sub: string, ...groups: string[]) => ({ sub, amr: ["otp"], groups });

    const logIn = async (
      user: ConsoleBrowser,
      who: Record<string, unknown>,
      begin: object,
      change: (query: URLSearchParams) => void = () => {},
    ): Promise<HttpAnswer> => {
      const url = fieldOf(await user.send("POST", "/api/auth/login", begin), "authorizationUrl");
      const query = new URLSearchParams({
        code: await issuer.codeFor(url, who),
        state: new URL(url).searchParams.get("state") ?? "",
      });
      change(query);
      const came = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
      return user.get(`/api/auth/callback?${query.toString()}`, came);
    };

    it("opens the door that was asked for, and comes back to where the user was", async () => {
      const user = browser();
      const back = await logIn(user, claims("ada", "corridor:demo:admin"), {
        tenant: "demo",
        returnTo: "/payments?a=b#c",
      });
      expect(back).toMatchObject({ status: 303, headers: { location: "/payments?a=b#c" } });
      expect((await user.reload()).json).toMatchObject({ tenants: [{ tenant: "demo", roles: ["admin"] }] });
      expect((await user.get(list)).status).toBe(200);
      const operator = browser();
      await logIn(operator, claims("bob", "corridor:operators:platform"), { isOperator: true });
      expect((await operator.get("/api/o/tenants")).status).toBe(200);
    });

    it("is refused with another state, another browser's login, and a login that was finished", async () => {
      const who = claims("ada", "corridor:demo:admin");
      const failed = { status: 303, headers: { location: "/login?failed=UNAUTHENTICATED" } };
      const wrongState = browser();
      expect(await logIn(wrongState, who, { tenant: "demo" }, (query) => query.set("state", "x"))).toMatchObject(
        failed,
      );
      const stolen = browser();
      const theirs = await logIn(stolen, who, { tenant: "demo" }, () => stolen.cookies.clear());
      expect(theirs).toMatchObject(failed);
      const twice = browser();
      let again = "";
      await logIn(twice, who, { tenant: "demo" }, (query) => {
        again = query.toString();
      });
      expect(await twice.get(`/api/auth/callback?${again}`)).toMatchObject(failed);
      for (const user of [wrongState, stolen]) refused(await user.get("/api/me"), 401, "AUTH_001");
      const noRole = await logIn(browser(), claims("nobody"), { tenant: "demo" });
      expect(noRole).toMatchObject({ status: 303, headers: { location: "/login?failed=ROLE_MISSING" } });
    });

    it("leads nowhere but to a path of the console", async () => {
      const evil = [
        "https://evil.example/",
        "//evil.example",
        "/.//evil.example",
        "/\\evil.example",
        "/%5c/evil",
        "javascript:alert(1)",
        "/api/auth/logout",
      ];
      for (const returnTo of evil) {
        const back = await logIn(browser(), claims("ada", "corridor:demo:admin"), { tenant: "demo", returnTo });
        const { href, origin } = new URL(back.headers.location ?? "", urlOf(world.gateway));
        expect([returnTo, origin]).toEqual([returnTo, urlOf(world.gateway)]);
        expect(href).not.toContain("/api/");
      }
    });

    it("asks for a fresh proof where one is needed, and goes on with the new session", async () => {
      const user = browser();
      const ago = Math.floor(Date.now() / 1_000) - 400;
      const who = claims("carl", "corridor:demo:admin");
      await logIn(user, { ...who, auth_time: ago }, { tenant: "demo" });
      await user.reload();
      const agent = { email: "a@b.example", businessName: "Ada" };
      refused(await user.send("POST", list, agent), 403, "AUTH_006");
      const before = elsewhere(user);
      await logIn(user, who, { tenant: "demo", returnTo: "/developers" });
      await user.reload();
      expect((await user.send("POST", list, agent)).status).toBe(200);
      await endsSoon(before);
    });
  });

  it("stands in the record of what it did, with its user", async () => {
    const operator = await click("platform");
    const { sessions } = (await operator.get("/api/o/sessions")).json as {
      sessions: { sessionId: string; isCurrent: boolean }[];
    };
    const session = sessions.find(({ isCurrent }) => isCurrent)?.sessionId;
    const userId = fieldOf(await operator.get("/api/me"), "userId");
    const { records } = (await operator.get("/api/o/audit?limit=500")).json as { records: object[] };
    expect(records).toContainEqual(
      expect.objectContaining({ actor: `operator:user:${userId}`, action: "GET /sessions", outcome: "done", session }),
    );
    const admin = await click("demo-admin");
    const mine = fieldOf(await admin.get("/api/me"), "userId");
    await admin.send("DELETE", `/api/t/demo/organizations/demo/users/${userId}/sessions`);
    const after = (await operator.get("/api/o/audit?limit=500")).json as {
      records: { actor: string; session: string }[];
    };
    const own = after.records.filter(({ actor }) => actor === `user:${mine}`);
    expect(own.length).toBeGreaterThan(0);
    for (const record of own) expect(record.session).toMatch(/^[0-9a-f-]{36}$/);
  });
});
