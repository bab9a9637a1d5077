import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { ensureLocalCa } from "../../../local/local-ca";
import { DomainError } from "../../../services/shared/kernel/errors";
import { until } from "../../support/platform-client";
import { httpCall } from "./http-call";
import { unboundKeys } from "./peers";
import { openRaw, type RawConnection, sendRaw } from "./raw-connection";
import { startTestGateway, type TestGateway } from "./test-gateway";

const form = { "content-type": "application/x-www-form-urlencoded" };
const operatorToken = "operator-token-of-at-least-32-characters";
const goodKey = "key-of-demo";
const tries = 260;
/** Tries of an address that has used up its budget. Each is a new connection, of which an address has 512 at once. */
const furtherTries = 60;
/** Connections beyond those that an address is served at once, and what each sends. */
const [waitingCallers, waitingBytes] = [180, 64 * 1024];

/** Bytes in buffers that are in use. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().arrayBuffers;
}

describe("callers whom nobody knows", () => {
  const dir = mkdtempSync(join(tmpdir(), "doors-"));
  const asked = { tokens: 0, keys: 0, leases: 0, records: 0 };
  let platform: TestGateway;
  let tlsFiles: { certFile: string; keyFile: string };

  beforeAll(async () => {
    tlsFiles = await ensureLocalCa(dir);
    const { certFile, keyFile } = tlsFiles;
    const tokensFile = join(dir, "operators");
    writeFileSync(tokensFile, `ada ${operatorToken}\n`);
    platform = await startTestGateway(
      {
        auth: {
          issueToken({ clientId }) {
            asked.tokens += 1;
            if (clientId !== "demo-client")
              throw new DomainError("OAUTH_INVALID_CLIENT", "client authentication failed");
            return Promise.resolve({ accessToken: "t", expiresInSeconds: 60, scope: "fx" });
          },
          authenticateKey({ apiKey }) {
            asked.keys += 1;
            if (apiKey !== goodKey) throw new DomainError("UNAUTHENTICATED", "x-api-key must be valid");
            return Promise.resolve({ tenant: "demo", agentId: "", ...unboundKeys });
          },
          listTenants: () => Promise.resolve({ tenants: [] }),
          leaseTokens({ wanted, capacity }) {
            asked.leases += 1;
            return Promise.resolve({ granted: wanted, left: capacity });
          },
          appendAuditRecords() {
            asked.records += 1;
            return Promise.resolve({});
          },
        },
      },
      {
        GATEWAY_TLS_CERT_FILE: certFile,
        GATEWAY_TLS_KEY_FILE: keyFile,
        OPERATOR_TOKENS_FILE: tokensFile,
        OPERATOR_PORT: "0",
      },
    );
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(dir, { recursive: true });
  });

  const requestToken = (clientId: string, port = platform.port) =>
    httpCall(port, "/oauth/token", {
      method: "POST",
      headers: form,
      body: `grant_type=client_credentials&client_id=${clientId}&client_secret=s`,
    });
  const statusesOf = async (times: number, call: (index: number) => Promise<{ status: number }>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let index = 0; index < times; index += 1) statuses.push((await call(index)).status);
    return statuses;
  };
  const count = (statuses: readonly number[], status: number): number =>
    statuses.filter((one) => one === status).length;

  describe("credentials that are wrong", () => {
    it("stop being looked up at the token endpoint, another client each time or not", async () => {
      expect((await requestToken("demo-client")).status).toBe(200);

      const statuses = await statusesOf(tries, (index) => requestToken(`client-${index}`));

      expect(count(statuses, 401)).toBeGreaterThanOrEqual(200);
      expect(count(statuses, 401)).toBeLessThan(tries - 20);
      expect(count(statuses, 429)).toBe(tries - count(statuses, 401));
      expect(asked.tokens).toBe(1 + count(statuses, 401));
      // On a slow machine one more try may have come back meanwhile.
      const refused = await until(
        () => requestToken("one-more"),
        ({ status }) => status === 429,
      );
      expect(refused).toMatchObject({ status: 429, json: { error: "temporarily_unavailable" } });
      expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
      // Who had a token of late is no stranger.
      expect((await requestToken("demo-client")).status).toBe(200);
    });

    it("stop being looked up as API keys, of which the address has no further try", async () => {
      const before = asked.keys;
      const call = (apiKey: string) =>
        httpCall(platform.port, "/organizations/demo/webhooks", { headers: { "x-api-key": apiKey } });

      const statuses = await statusesOf(furtherTries, (index) => call(`key-${index}`));

      expect(count(statuses, 429)).toBeGreaterThan(furtherTries - 20);
      expect(asked.keys - before).toBe(count(statuses, 401));
      const refused = await until(
        () => call("another"),
        ({ status }) => status === 429,
      );
      expect(refused.json).toMatchObject({ code: "RL_001" });
    });

    it("are refused with 429 as tokens, while good ones of the same address are taken", async () => {
      const port = platform.gateway.operatorPort ?? 0;
      const asOperator = (token: string) =>
        httpCall(port, "/tenants", { headers: { authorization: `Bearer ${token}` } });

      const statuses = await statusesOf(furtherTries, (index) => asOperator(`wrong-${index}`));

      expect(count(statuses, 429)).toBeGreaterThan(furtherTries - 20);
      expect((await asOperator(operatorToken)).status).toBe(200);
      expect((await httpCall(platform.port, "/bank", { headers: { authorization: "Bearer x.y.z" } })).status).toBe(429);
      expect(
        (await httpCall(platform.port, "/bank", { headers: await platform.bearer({ scope: "banks" }) })).status,
      ).toBe(400);
    });
  });

  describe("connections", () => {
    const opened: RawConnection[] = [];
    afterEach(() => {
      for (const { socket } of opened.splice(0)) socket.destroy();
    });
    const open = async (count: number, port: number, text = "", isReading = true): Promise<RawConnection[]> => {
      const all: RawConnection[] = [];
      for (let index = 0; index < count; index += 1) {
        const one = await openRaw(port, text, { isReading }).catch(() => undefined);
        if (one !== undefined) all.push(one);
      }
      opened.push(...all);
      return all;
    };
    const known = async (gateway = platform) =>
      (await httpCall(gateway.port, "/bank", { headers: await gateway.bearer({ scope: "banks" }) })).status;

    it.each([
      ["strangers how long they may be silent", "/healthz", undefined, 200, "timeout=5"],
      ["who has proven itself that it may be longer", "/bank", "banks", 400, "timeout=65"],
      ["who may not do this the same", "/bank", "fx", 403, "timeout=65"],
    ])("tell %s", async (_name, path, scope, status, keepAlive) => {
      const agent = new Agent({ keepAlive: true });
      const headers = scope === undefined ? {} : await platform.bearer({ scope });

      const answer = await httpCall(platform.port, path, { headers, agent });

      expect([answer.status, answer.headers["keep-alive"]]).toEqual([status, keepAlive]);
      agent.destroy();
    });

    it.each([
      ["say nothing", () => platform.port],
      ["shake no hand", () => platform.gateway.tlsPort ?? 0],
      ["say nothing to the operators' port", () => platform.gateway.operatorPort ?? 0],
    ])("that %s are ended", async (_name, port) => {
      const silent = await open(20, port());

      await Promise.all(silent.map(({ closed }) => closed));
      expect(await known()).toBe(400);
    });

    it("that hold half a body take no place of a request", async () => {
      const half =
        "POST /oauth/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\ngrant";
      const held = await open(300, platform.port, half);

      expect(await known()).toBe(400);
      expect((await httpCall(platform.gateway.operatorPort ?? 0, "/healthz")).status).toBe(200);
      const answered = await until(
        () => Promise.resolve(held.filter(({ received }) => received().includes(" 429 ")).length),
        (refused) => refused >= 200,
      );
      expect(answered).toBeGreaterThanOrEqual(200);
    });

    it("that pipeline are ended", async () => {
      const [one] = await open(1, platform.port, "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n".repeat(64));

      await one?.closed;
      expect(await known()).toBe(400);
    });

    it("that do not read are ended, and what they were sent is one copy for all", async () => {
      const text = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: a\r\n\r\n";
      await httpCall(platform.port, "/docs/swagger-ui-bundle.js");
      const before = process.memoryUsage();
      const readers = await open(100, platform.port, text, false);

      const after = process.memoryUsage();
      expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(
        32 * 1024 * 1024,
      );
      // A reader that does not read sees the end when it writes.
      await until(
        () => Promise.resolve(readers.filter(({ socket, isOpen }) => isOpen() && socket.write("\r\n"))),
        () => readers.every(({ isOpen }) => !isOpen()),
      );
      expect(await known()).toBe(400);
    });

    it.each([
      ["to HTTP", (own: TestGateway) => own.port],
      ["to HTTPS", (own: TestGateway) => own.gateway.tlsPort ?? 0],
    ])("that wait for their turn are not read from, however much they send %s", async (_what, portOf) => {
      const own = await startTestGateway(
        {},
        { GATEWAY_TLS_CERT_FILE: tlsFiles.certFile, GATEWAY_TLS_KEY_FILE: tlsFiles.keyFile },
      );
      const sent = Buffer.alloc(waitingBytes, "NONSENSE\r\n");
      await open(64, portOf(own));
      const before = heldBytes();
      await Promise.all(
        Array.from({ length: waitingCallers }, async () => {
          const [one] = await open(1, portOf(own));
          await new Promise((resolve) => one?.socket.write(sent, resolve));
        }),
      );
      // A server that reads has read it all by then.
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();

      expect(heldBytes() - before).toBeLessThan((waitingCallers * waitingBytes) / 4);
      expect(await known(own)).toBe(400);
    });

    it("beyond those that an address may have make room: the oldest silent one goes", async () => {
      // What others have left of the new connections of this address would not be enough.
      const own = await startTestGateway({}, { RATE_LIMIT_FACTOR: "2" });
      const silent = await open(520, own.port);

      expect(await known(own)).toBe(400);
      await silent[0]?.closed;
    });
  });

  describe("the documentation", () => {
    it("is sent compressed to those who take that, and not at the operators' port", async () => {
      const coded = (coding: string) =>
        httpCall(platform.port, "/openapi.json", { headers: { "accept-encoding": coding } });
      const plain = await httpCall(platform.port, "/openapi.json");
      const [brotli, zipped, none] = [await coded("gzip, br"), await coded("gzip;q=0.5, br;q=0"), await coded("zstd")];

      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(none.body.equals(plain.body)).toBe(true);
      expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
      const ofOperators = (path: string) => httpCall(platform.gateway.operatorPort ?? 0, path);
      const statuses = ["/docs", "/docs/start.js", "/openapi.json"].map(
        async (path) => (await ofOperators(path)).status,
      );
      // The document of the operator API is for operators.
      expect(await Promise.all(statuses)).toEqual([404, 404, 401]);
    });
  });
});

describe("requests that prove nothing", () => {
  const share = 400;
  /** Calls at the same time, and in all. */
  const [together, mostCalls] = [10, 4_000];

  it.each([
    ["for probes", "/healthz", 200],
    ["without a key", "/organizations/demo/webhooks", 401],
    ["with a wrong path", "/v2/payment/%07", 400],
    ["with a parameter that nobody knows", "/healthz?a=b", 400],
  ])("%s lose their connection, each one, when their address has had its share", async (_what, path, status) => {
    const platform = await startTestGateway({});
    const agent = new Agent({ keepAlive: true, maxSockets: together });
    const call = (headers: Record<string, string> = {}, at = path) => httpCall(platform.port, at, { headers, agent });
    // Quicker than the budget grows, and on so many connections that none has had all the requests that it may have.
    const answers: Awaited<ReturnType<typeof httpCall>>[] = [];
    const isOver = (): boolean => answers.some(({ headers }) => headers.connection === "close");
    while (!isOver() && answers.length < mostCalls) {
      answers.push(...(await Promise.all(Array.from({ length: together }, () => call()))));
    }

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(answers.slice(0, share).filter(({ headers }) => headers.connection !== "keep-alive")).toEqual([]);
    expect(isOver()).toBe(true);
    // Who proves itself from there keeps its connection.
    const good = await call(await platform.bearer({ scope: "banks" }), "/bank");
    expect([good.status, good.headers.connection]).toEqual([400, "keep-alive"]);
    agent.destroy();
  });
});

describe("bodies of strangers that are hard to read", () => {
  it.each(["4-", "4+", "4."])("keep the gateway busy for a moment only: many times %s", async (unit) => {
    const platform = await startTestGateway({});
    const head = "grant_type=client_credentials&client_secret=s&client_id=";
    const body = head + unit.repeat(Math.floor((64 * 1024 - head.length) / unit.length));
    const before = process.threadCpuUsage();
    const { status } = await httpCall(platform.port, "/oauth/token", { method: "POST", headers: form, body });
    const { user, system } = process.threadCpuUsage(before);

    expect(status).toBe(401);
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });
});

describe("requests at the console without a session", () => {
  it("are tries of their address, which come to an end", async () => {
    const platform = await startTestGateway({}, { GATEWAY_DOORS: "public,console", CONSOLE_PORT: "0" });
    const port = platform.gateway.consolePort ?? 0;
    const headers = { host: `127.0.0.1:${port}` };
    const statuses: number[] = [];
    for (let index = 0; index < tries; index += 1) {
      statuses.push((await httpCall(port, "/api/t/demo/v2/payments", { headers })).status);
    }

    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("browsers that come back from the identity provider with what is no login", () => {
  it("stay strangers, and their tries come to an end", async () => {
    let asked = 0;
    const finishLogin = () => {
      asked += 1;
      return Promise.reject(new DomainError("UNAUTHENTICATED", "the login is not known"));
    };
    const doors = { GATEWAY_DOORS: "public,console", CONSOLE_PORT: "0" };
    const platform = await startTestGateway({ auth: { finishLogin } }, doors);
    const port = platform.gateway.consolePort ?? 0;
    const headers = { host: `127.0.0.1:${port}`, cookie: `corridor-login=t.${"x".repeat(43)}.Lw` };
    const agent = new Agent({ keepAlive: true });
    const first = await httpCall(port, "/api/auth/callback?code=a&state=b", { headers, agent });
    agent.destroy();
    const statuses: number[] = [];
    for (let index = 0; index < tries; index += 1) {
      statuses.push((await httpCall(port, `/api/auth/callback?code=${index}&state=b`, { headers })).status);
    }

    expect([first.status, first.headers.location]).toEqual([303, "/login?failed=UNAUTHENTICATED"]);
    expect(first.headers["keep-alive"]).toBe("timeout=5");
    expect(new Set(statuses)).toEqual(new Set([303, 429]));
    expect(asked).toBe(1 + statuses.filter((status) => status === 303).length);
  });
});

describe("callers behind a proxy", () => {
  it("count by the address that it reports, and by their own where they come past it", async () => {
    const through = await startTestGateway({}, { GATEWAY_TRUSTED_HOPS: "1", GATEWAY_PROXY_NETWORKS: "127.0.0.0/8" });
    const past = await startTestGateway({}, { GATEWAY_TRUSTED_HOPS: "1", GATEWAY_PROXY_NETWORKS: "192.0.2.0/24" });
    const guess = async ({ port }: TestGateway, from: string): Promise<number> => {
      const headers = { authorization: "Bearer x.y.z", "x-forwarded-for": `198.51.100.9, ${from}` };
      return (await httpCall(port, "/bank", { headers })).status;
    };
    const last: Record<string, number> = {};
    for (let index = 0; index < tries; index += 1) {
      last["one"] = await guess(through, "203.0.113.1");
      last["past"] = await guess(past, `203.0.113.${index % 250}`);
    }

    expect(last).toEqual({ one: 429, past: 429 });
    expect(await guess(through, "203.0.113.2")).toBe(401);
  });
});

describe("requests that can be read in two ways, or in none", () => {
  let platform: TestGateway;
  let served = 0;
  beforeAll(async () => {
    const issueToken = () => {
      served += 1;
      return Promise.resolve({ accessToken: "t", expiresInSeconds: 60, scope: "fx" });
    };
    platform = await startTestGateway({ auth: { issueToken } });
  });

  const get = (lines: string, path = "/healthz", version = "1.1"): string =>
    `GET ${path} HTTP/${version}\r\n${lines}connection: close\r\n\r\n`;
  const post = (lines: string, body = ""): string => `POST /oauth/token HTTP/1.1\r\nhost: a\r\n${lines}\r\n${body}`;

  it.each([
    ["no host", get("")],
    ["two hosts", get("host: a\r\nhost: b\r\n")],
    ["a host with a path", get("host: localhost/evil\r\n")],
    ["a host with a user", get("host: me@localhost\r\n")],
    ["an empty host", get("host:\r\n")],
    ["a target with a user", get("host: a\r\n", "http://me@a/healthz")],
    ["two authorizations", get("host: a\r\nauthorization: Bearer a\r\nauthorization: Bearer b\r\n")],
    ["two keys", get("host: a\r\nx-api-key: a\r\nx-api-key: b\r\n")],
    ["two lengths", post("content-length: 1\r\ncontent-length: 2\r\n", "ab")],
    ["a length and chunks", post("content-length: 1\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n")],
    ["chunks that are none", post("transfer-encoding: chunked\r\n", "zz\r\n")],
    ["another transfer coding", post("transfer-encoding: gzip\r\n", "x")],
    ["another coding before chunks", post("transfer-encoding: gzip, chunked\r\n", "0\r\n\r\n")],
    ["another coding before chunks that do not come", post("transfer-encoding: gzip, chunked\r\n")],
    ["two lines of transfer codings", post("transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n")],
    ["chunked that is not last", post("transfer-encoding: chunked, gzip\r\n", "x")],
    ["chunks in a request of HTTP/1.0", "POST /oauth/token HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a parameter that its route does not have", get("host: a\r\n", "/healthz?a=b")],
    ["a length that is none", post("content-length: abc\r\n", "x")],
    ["a negative length", post("content-length: -1\r\n", "x")],
    ["a header without a name", get("host: a\r\n: b\r\n")],
    ["a space before the colon", get("host: a\r\nx-y : b\r\n")],
    ["a folded header", get("host: a\r\nx-y: b\r\n c\r\n")],
    ["a NUL in a header", get("host: a\r\nx-y: b\u0000c\r\n")],
    ["a bare line feed", "GET /healthz HTTP/1.1\nhost: a\nx y\n\n"],
    ["an unknown method", "BREW /healthz HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["no version", "GET /healthz\r\nhost: a\r\n\r\n"],
    ["another version", get("host: a\r\n", "/healthz", "3.7")],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["no HTTP at all", "NONSENSE\r\n\r\n"],
    ["a handshake of TLS", Buffer.from("16030100ff010000fb0303", "hex")],
    ["control characters in its path", get("host: a\r\n", "/v2/payment/a%07b")],
    ["directions in its path", get("host: a\r\n", "/v2/payment/a%E2%80%AEb")],
    ["broken percent-encoding", get("host: a\r\n", "/v2/payment/%zz")],
  ])("are refused with the error body: %s", async (_name, text) => {
    const answer = await sendRaw(platform.port, text);

    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({
      code: "VE_001",
      requestId: expect.stringMatching(/./),
      errors: [{ field: expect.stringMatching(/./) }],
    });
  });

  it.each([
    ["another coding before chunks", post("transfer-encoding: gzip, chunked\r\n", "0\r\n\r\n")],
    ["two hosts", "GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n"],
    ["a target with a user", "GET http://me@a/healthz HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["two lengths", post("content-length: 1\r\ncontent-length: 2\r\n", "ab")],
  ])("end their connection, and what follows them is not heard: %s", async (_name, text) => {
    const body = "grant_type=client_credentials&client_id=c&client_secret=s";
    const hidden = post(`content-type: ${form["content-type"]}\r\ncontent-length: ${body.length}\r\n`, body);
    const connection = await openRaw(platform.port, `${text}${hidden}`);
    await until(
      () => Promise.resolve(connection.received()),
      (answer) => answer.includes("VE_001"),
    );
    connection.socket.write(hidden);
    const answers = () => connection.received().match(/HTTP\/1\.1 \d+/g) ?? [];
    await until(
      () => Promise.resolve(!connection.isOpen() || answers().length > 1),
      (isOver) => isOver,
    );

    expect(answers()).toEqual(["HTTP/1.1 400"]);
    expect(served).toBe(0);
    expect(await sendRaw(platform.port, hidden)).toMatch(/^HTTP\/1\.1 200 /);
    served = 0;
  });

  it.each([
    ["a tunnel", "CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n", 405, "REQ_405"],
    ["headers that are too long", get(`host: a\r\nx-y: ${"z".repeat(17_000)}\r\n`), 431, "REQ_431"],
    ["a target that is no path", get("host: a\r\n", "*"), 404, "REQ_404"],
    ["an expectation", get("host: a\r\nexpect: the-unexpected\r\n", "/none"), 404, "REQ_404"],
    ["another protocol", get("host: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n", "/none"), 404, "REQ_404"],
  ])("are answered with the error body: %s", async (_name, text, status, code) => {
    const answer = await sendRaw(platform.port, text);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({ code });
  });

  describe("and bodies that wait to be asked for", () => {
    const body = "grant_type=client_credentials&client_id=c&client_secret=s";
    const waiting = "expect: 100-continue\r\n";
    const formHead = `${waiting}content-type: ${form["content-type"]}\r\ncontent-length: ${body.length}\r\n`;
    const goesOn = "HTTP/1.1 100 Continue\r\n\r\n";

    it.each([
      [
        "a caller whom nobody knows",
        401,
        `POST /v2/payment HTTP/1.1\r\nhost: a\r\n${waiting}content-length: 60000\r\n\r\n`,
      ],
      ["a route that is none", 404, `POST /none HTTP/1.1\r\nhost: a\r\n${waiting}content-length: 60000\r\n\r\n`],
      ["a body of another kind", 400, post(`${waiting}content-type: text/plain\r\ncontent-length: 5\r\n`)],
      ["a body that is too large", 400, post(formHead.replace(/\d+\r\n$/, "70000\r\n"))],
      ["two hosts", 400, post(`host: b\r\n${formHead}`)],
    ])("are not asked for by %s, and what follows on their connection is not heard", async (_name, status, head) => {
      const connection = await openRaw(platform.port, head);
      await until(
        () => Promise.resolve(connection.received()),
        (answer) => answer.includes("\r\n\r\n"),
      );
      connection.socket.write(get("host: a\r\n"));
      await connection.closed;

      expect(connection.received().match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
      expect(connection.received()).toMatch(/^connection: close\r$/im);
    });

    it("are asked for when their request may send them, and their connection goes on", async () => {
      const connection = await openRaw(platform.port, post(formHead));
      const answered = (count: number) =>
        until(
          () => Promise.resolve(connection.received()),
          (answer) => answer.split("HTTP/1.1 ").length > count,
        );
      expect(await answered(1)).toBe(goesOn);
      expect(served).toBe(0);
      connection.socket.write(body);
      expect(await answered(2)).toContain(`${goesOn}HTTP/1.1 200 OK`);
      connection.socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
      await answered(3);

      expect(connection.received().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 200", "HTTP/1.1 200"]);
      connection.socket.destroy();
      served = 0;
    });
  });

  it("are taken with hosts as they are", async () => {
    for (const host of ["localhost", "localhost:8080", "[::1]:8080", "api.example.com", "10.0.0.1:1"]) {
      expect(await sendRaw(platform.port, get(`host: ${host}\r\n`))).toMatch(/^HTTP\/1.1 200 /);
    }
  });
});
