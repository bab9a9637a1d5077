import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Gateway } from "../../../gateway/app";
import { ensureLocalCa } from "../../../local/local-ca";
import { ConfigError } from "../../../services/shared/process/config";
import { type ConsoleBrowser, type HeaderChanges, openConsole } from "../../support/console-browser";
import { fieldOf } from "../../support/log-in";
import { until } from "../../support/platform-client";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { sendRaw } from "../gateway/raw-connection";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo");
const script = "console.log('the console');";
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const secureOrigin = "https://console.example";

describe("a request of a browser to the console", () => {
  const dir = mkdtempSync(join(tmpdir(), "console-"));
  const pages = join(dir, "pages");
  let world: AccessWorld;
  let unbuilt: Gateway;
  let secure: Gateway;
  let ca: string;

  beforeAll(async () => {
    mkdirSync(join(pages, "assets"), { recursive: true });
    const files = { "index.html": "<!doctype html>", "assets/app-1a2b.js": script, "icon.svg": "<svg/>" };
    for (const [name, text] of Object.entries({
      ...files,
      "assets/app-1a2b.js.br": "as br",
      "assets/app-1a2b.js.gz": "as gzip",
    })) {
      writeFileSync(join(pages, name), text);
    }
    writeFileSync(join(dir, "secret.txt"), "not for anybody");
    const gateway = { GATEWAY_DOORS: "public,operator,console", CONSOLE_PORT: "0", CONSOLE_DIR: pages };
    world = await startAccessWorld({ tenants: [demo], gateway });
    unbuilt = await world.startGateway({ CONSOLE_DIR: join(dir, "nothing") });
    const local = await ensureLocalCa(join(dir, "tls"));
    ca = readFileSync(local.caFile, "utf8");
    const tls = { GATEWAY_TLS_CERT_FILE: local.certFile, GATEWAY_TLS_KEY_FILE: local.keyFile };
    const doors = { GATEWAY_DOORS: "console", CONSOLE_ORIGIN: secureOrigin };
    secure = await world.startGateway({ ...tls, ...doors, PROFILE: "sandbox" });
  }, 60_000);
  afterAll(async () => {
    await world?.stop();
    rmSync(dir, { recursive: true });
  });

  const urlOf = ({ consolePort }: Gateway): string => `http://127.0.0.1:${consolePort}`;
  const browser = (gateway = world.gateway): ConsoleBrowser => openConsole(urlOf(gateway));
  const refused = (answer: HttpAnswer, status: number, code: string) =>
    expect(answer).toMatchObject({ status, json: { code } });
  const webhooks = "/api/t/demo/organizations/demo/agents";

  it.each([
    ["with two hosts", "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400, "VE_001"],
    ["with a target that names a user", "GET http://me@a/ HTTP/1.1\r\nhost: a\r\n\r\n", 400, "VE_001"],
    ["by another method", "POST /payments HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n", 405, "REQ_405"],
  ])("is refused for a page %s, in the form of all refusals", async (_what, text, status, code) => {
    const answer = await sendRaw(world.gateway.consolePort ?? 0, text);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({ code });
    expect(/^connection: close\r$/im.test(answer)).toBe(status === 400);
  });

  describe("that changes something", () => {
    const agent = (name: string) => ({ email: "a@b.example", businessName: name });
    const forged: readonly (readonly [string, HeaderChanges])[] = [
      ["of a page of another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
      ["of another host of the same site", { "sec-fetch-site": "same-site" }],
      ["that a user has typed", { "sec-fetch-site": "none" }],
      ["without sec-fetch-site", { "sec-fetch-site": undefined }],
      ["with the origin of another", { origin: "https://evil.example" }],
      ["with another port of this machine as its origin", { origin: "http://127.0.0.1:1" }],
      ["without an origin", { origin: undefined }],
      ["with a hidden origin", { origin: "null" }],
      ["without x-csrf", { "x-csrf": undefined }],
      ["with an empty x-csrf", { "x-csrf": "" }],
      ["with a guess of x-csrf", { "x-csrf": "A".repeat(43) }],
      ["for a name that another has given to this machine", { host: "evil.example", origin: "http://evil.example" }],
    ];

    it.each(forged)("is refused %s, and changes nothing", async (_what, changes) => {
      const user = await browser().click("demo-admin");
      const name = `forged ${Math.random()}`;
      refused(await user.send("POST", webhooks, agent(name), changes), 403, "AUTH_007");
      expect((await user.get(webhooks)).text).not.toContain(name);
      const operator = await browser().click("operator");
      refused(await operator.send("POST", "/api/o/tenants", { tenant: "forged" }, changes), 403, "AUTH_007");
      expect((await operator.get("/api/o/tenants")).text).not.toContain("forged");
      if (changes["x-csrf"] === undefined && !("x-csrf" in changes)) {
        refused(await user.send("POST", "/api/auth/local", { person: "demo-viewer" }, changes), 403, "AUTH_007");
        refused(await user.send("POST", "/api/auth/login", { tenant: "demo" }, changes), 403, "AUTH_007");
      }
      refused(await user.send("POST", "/api/auth/logout", undefined, changes), 403, "AUTH_007");
      expect((await user.get("/api/me")).status).toBe(200);
    });

    it("is refused with the value of another session", async () => {
      const [user, another] = [await browser().click("demo-admin"), await browser().click("demo-admin")];
      const changes = { "x-csrf": another.csrf() };
      refused(await user.send("POST", webhooks, agent("another"), changes), 403, "AUTH_007");
      expect((await user.send("POST", webhooks, agent("own"))).status).toBe(200);
    });
  });

  it("that only looks is refused for a page of another site, and taken from a link of the user's own", async () => {
    const user = await browser().click("demo-admin");
    for (const site of ["cross-site", "same-site"]) {
      refused(await user.get(webhooks, { "sec-fetch-site": site }), 403, "AUTH_007");
      refused(await user.get("/api/me", { "sec-fetch-site": site }), 403, "AUTH_007");
    }
    refused(await user.get(webhooks, { host: "evil.example" }), 403, "AUTH_007");
    for (const site of ["none", "same-origin", undefined]) {
      expect((await user.get(webhooks, { "sec-fetch-site": site })).status).toBe(200);
    }
  });

  it("changes nothing with GET, by any address of the console itself", async () => {
    const user = await browser().click("demo-admin");
    for (const path of ["/api/auth/local", "/api/auth/login", "/api/auth/logout"]) {
      refused(await user.get(path), 405, "REQ_405");
    }
    expect((await user.get("/api/me")).status).toBe(200);
  });

  it("is answered with the console's policies, whatever the answer is", async () => {
    const user = await browser().click("demo-admin");
    const answers = await Promise.all([
      user.get("/"),
      user.get("/assets/app-1a2b.js"),
      user.get("/assets/none.js"),
      user.get("/api/me"),
      user.get("/api/none"),
      user.get(webhooks),
      user.get("/api/t/other/v2/payments"),
      user.send("POST", webhooks, {}, { "x-csrf": "" }),
      user.send("POST", "/"),
      user.get("/api/auth/callback"),
      browser().get("/api/me"),
      browser(unbuilt).get("/"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 404, 200, 404, 403, 405, 303, 401, 503]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "permissions-policy": "",
      });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
    const preflight = await user.send("OPTIONS", webhooks, undefined, { "access-control-request-method": "POST" });
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    for (const answer of [answers[3], answers[5]]) expect(answer?.headers["cache-control"]).toBe("no-store");
  });

  it("is answered with the page for every path but those of files and of the API", async () => {
    for (const path of ["/", "/index.html", "/payments", "/payments/p-1?tab=raw", "/find/x%2Fy", "/apis", "/login"]) {
      const answer = await browser().get(path);
      expect(answer).toMatchObject({
        status: 200,
        text: "<!doctype html>",
        headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
      });
    }
    expect(await browser().get("/icon.svg")).toMatchObject({ headers: { "cache-control": "no-cache" } });
    for (const path of [
      "/../secret.txt",
      "/assets/../../secret.txt",
      "/assets/%2e%2e/%2e%2e/secret.txt",
      "/..%2fsecret.txt",
    ]) {
      expect((await browser().get(path)).text).not.toContain("not for anybody");
    }
  });

  it("is answered with files for ever, in the form that the browser takes", async () => {
    const forms = [
      ["br, gzip", "br", "as br"],
      ["gzip", "gzip", "as gzip"],
      ["identity", undefined, script],
    ] as const;
    for (const [accepted, coding, text] of forms) {
      const answer = await browser().get("/assets/app-1a2b.js", { "accept-encoding": accepted });
      expect(answer.text).toBe(text);
      expect(answer.headers["content-encoding"]).toBe(coding);
      expect(answer.headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": "text/javascript; charset=utf-8",
        vary: "accept-encoding",
      });
    }
    expect(await browser().get("/assets/app-0.js")).toMatchObject({
      status: 404,
      headers: { "cache-control": "no-store" },
    });
    const answer = await browser(unbuilt).get("/payments");
    expect(answer).toMatchObject({ status: 503, headers: { "content-type": "text/plain; charset=utf-8" } });
    expect(answer.text).toContain("make build");
  });

  it("is known by a cookie that no script reads and no other site sends", async () => {
    const user = browser();
    const answer = await user.send("POST", "/api/auth/local", { person: "demo-admin" });
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^corridor=t\.session_[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(answer.text).toBe("");
    const token = [...user.cookies.values()].join("").slice(2);
    for (const path of ["/api/me", "/api/t/demo/session", "/api/t/demo/sessions"]) {
      expect((await user.get(path)).text).not.toContain(token);
    }
    expect(await world.storeDump()).not.toContain(token.slice("session_".length));
  });

  describe("outside the local profile", () => {
    const there = (): ConsoleBrowser =>
      openConsole(secureOrigin, { port: secure.consolePort ?? 0, tls: { ca, servername: "localhost" } });

    it("is known by a __Host- cookie over HTTPS alone", async () => {
      const local = browser();
      await local.click("operator");
      const value = local.cookies.get("corridor") ?? "";
      const user = there();
      user.cookies.set("corridor", value);
      refused(await user.get("/api/me"), 401, "AUTH_001");
      user.cookies.set("__Host-corridor", value);
      await user.reload();
      expect((await user.get("/api/o/session")).status).toBe(200);
      const ended = await user.send("POST", "/api/auth/logout");
      expect(ended.headers["set-cookie"]).toEqual([
        "__Host-corridor=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
      ]);
      expect(ended.headers["strict-transport-security"]).toBe("max-age=31536000");
      expect(
        await until(
          async () => (await local.get("/api/me")).status,
          (status) => status === 401,
          5_000,
        ),
      ).toBe(401);
    });

    it("opens no session by a click, neither at the door nor behind it", async () => {
      expect((await there().get("/api/auth/options")).json).toEqual({ profile: "sandbox", people: [] });
      refused(await there().send("POST", "/api/auth/local", { person: "operator" }), 404, "REQ_404");
      const strict = await world.startAuthReplica({
        PROFILE: "sandbox",
        AUTH_BOOTSTRAP_FILE: world.file("nobody.json", JSON.stringify({ tenants: [] })),
      });
      const gateway = await world.startGateway({ AUTH_TARGET: `ipv4:127.0.0.1:${strict.port}` });
      refused(await browser(gateway).send("POST", "/api/auth/local", { person: "operator" }), 404, "OPS_404");
    });

    it("is refused unless it is for the console's own name", async () => {
      refused(await there().get("/api/auth/options", { host: "console.example:8443" }), 403, "AUTH_007");
      refused(await there().get("/api/auth/options", { host: "127.0.0.1" }), 403, "AUTH_007");
      expect((await there().get("/healthz", { host: "10.0.0.1" })).status).toBe(200);
      expect((await there().get("/readyz", { host: "10.0.0.1" })).status).toBe(200);
    });

    it("finds no door of programs where only that of the console is open", async () => {
      expect(secure).toMatchObject({ port: undefined, tlsPort: undefined, operatorPort: undefined });
      await expect(world.startGateway({ PROFILE: "sandbox", GATEWAY_DOORS: "console" })).rejects.toThrow(ConfigError);
    });
  });

  it("who is a stranger costs an address its share, and nobody else's", async () => {
    const narrow = await world.startGateway({ RATE_LIMIT_FACTOR: "1" });
    const user = await browser(narrow).click("demo-admin");
    const codes = await Promise.all(
      Array.from({ length: 250 }, async () => fieldOf(await browser(narrow).get("/api/me"), "code")),
    );
    expect(new Set(codes)).toEqual(new Set(["AUTH_001", "RL_001"]));
    expect((await user.get("/api/t/demo/session")).status).toBe(200);
    expect((await httpCall(narrow.consolePort ?? 0, "/")).status).toBe(200);
  });
});
