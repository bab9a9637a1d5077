import { connect } from "node:net";
import { DomainError } from "../../../services/shared/kernel/errors";
import { type HttpCall, httpCall } from "./http-call";
import { goodClaims, makeTestKey } from "./peers";
import { pullText } from "./sample-payment";
import { startTestGateway, type TestGateway } from "./test-gateway";

const quote = JSON.stringify({
  sourceCurrencyCode: "USD",
  destinationCurrencyCode: "BRL",
  paymentMethod: "BANK_ACCOUNT",
});
const fxPath = "/v2/foreign-exchange";

describe("refusals of the gateway itself", () => {
  let platform: TestGateway;
  let calls = 0;

  beforeAll(async () => {
    platform = await startTestGateway({
      fx: {
        createQuote() {
          calls += 1;
          return Promise.reject(new DomainError("NO_ROUTE", "no route on this corridor"));
        },
      },
      payment: {
        acceptPayment: () => Promise.reject(new Error("secret driver text at /srv/store.ts")),
        getPayment: () => Promise.reject(new DomainError("REQUEST_RUNNING", "the same request is still running")),
      },
    });
  });
  beforeEach(() => {
    calls = 0;
  });

  const post = async (changes: HttpCall = {}): ReturnType<typeof httpCall> =>
    httpCall(platform.port, fxPath, {
      method: "POST",
      body: quote,
      ...changes,
      headers: { ...(await platform.bearer()), "x-request-id": "req-1", ...changes.headers },
    });

  it("echoes a well-formed request id and makes one for any other", async () => {
    const echoed = await httpCall(platform.port, "/healthz", { headers: { "x-request-id": "a.B_9-z" } });
    const made = await httpCall(platform.port, "/healthz", { headers: { "x-request-id": "two words" } });
    const long = await httpCall(platform.port, "/healthz", { headers: { "x-request-id": "x".repeat(129) } });

    expect(echoed.headers["x-request-id"]).toBe("a.B_9-z");
    expect(made.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(long.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("answers an unknown route with REQ_404, also with a slash too many", async () => {
    const answer = await httpCall(platform.port, "/v3/nothing", { headers: { "x-request-id": "req-1" } });
    const slash = await httpCall(platform.port, "/healthz/");
    const empty = await httpCall(platform.port, "/payments/");

    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({ code: "REQ_404", message: "no such route", requestId: "req-1" });
    expect([slash.status, empty.status]).toEqual([404, 404]);
  });

  it("answers a known path with another method with REQ_405 and Allow", async () => {
    const answer = await httpCall(platform.port, "/organizations/demo/webhooks", { method: "PUT" });

    expect(answer).toMatchObject({
      status: 405,
      json: { code: "REQ_405", details: { allowed: ["GET", "HEAD", "POST"] } },
    });
    expect(answer.headers["allow"]).toBe("GET, HEAD, POST");
  });

  it("answers malformed percent-encoding with 400", async () => {
    const answer = await httpCall(platform.port, "/payments/%E0%A4%A", { headers: await platform.bearer() });

    expect(answer).toMatchObject({ status: 400, json: { code: "VE_001", errors: [{ field: "path" }] } });
  });

  it("serves HEAD like GET, without the body", async () => {
    const answer = await httpCall(platform.port, "/healthz", { method: "HEAD" });

    expect(answer).toMatchObject({ status: 200, text: "", headers: { "content-length": "15" } });
  });

  describe("the access token", () => {
    const refused = async (authorization: string | undefined): Promise<Awaited<ReturnType<typeof httpCall>>> =>
      httpCall(platform.port, fxPath, {
        method: "POST",
        body: quote,
        headers: { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) },
      });

    it("is required", async () => {
      const answer = await refused(undefined);

      expect(answer).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="corridor"');
    });

    it.each([
      ["of another scheme", () => Promise.resolve("Basic YTpi")],
      ["that is no JWT", () => Promise.resolve("Bearer abc.def.ghi")],
      ["that has expired", () => platform.bearer({ exp: 1_000 })],
      ["of another issuer", () => platform.bearer({ iss: "https://elsewhere.example" })],
      ["for another audience", () => platform.bearer({ aud: "elsewhere" })],
      ["of another environment", () => platform.bearer({ env: "production" })],
      ["without a tenant", () => platform.bearer({ tenant: "" })],
      ["without an expiry", () => platform.bearer({ exp: undefined })],
      ["whose scope is no text", () => platform.bearer({ scope: ["fx"] })],
      ["of another key with a known id", async () => `Bearer ${await (await makeTestKey("key-1")).sign(goodClaims())}`],
      ["of an unknown key", async () => `Bearer ${await (await makeTestKey("key-9")).sign(goodClaims())}`],
      ["of another type", async () => `Bearer ${await platform.key.sign(goodClaims(), { typ: "JWT" })}`],
      [
        "without a signature",
        async () => {
          const payload = (await platform.token()).split(".")[1] ?? "";
          return `Bearer ${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`;
        },
      ],
    ])("is refused %s", async (_name, make) => {
      const made = await make();
      const answer = await refused(typeof made === "string" ? made : made["authorization"]);

      expect(answer).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="corridor", error="invalid_token"');
      expect(calls).toBe(0);
    });

    it("is refused without the route's scope, and the scope is named", async () => {
      const answer = await refused((await platform.bearer({ scope: "payments schemas" }))["authorization"]);

      expect(answer).toMatchObject({ status: 403, json: { code: "AUTH_004", details: { scope: "fx" } } });
      expect(answer.headers["www-authenticate"]).toBe('Bearer error="insufficient_scope", scope="fx"');
    });

    it("is looked at before the body", async () => {
      const answer = await httpCall(platform.port, fxPath, { method: "POST", body: "x".repeat(70_000) });

      expect(answer.status).toBe(401);
    });
  });

  describe("the body", () => {
    it.each([
      ["no content type", { headers: { "content-type": "" } }],
      ["another content type", { headers: { "content-type": "text/plain" } }],
      ["another charset", { headers: { "content-type": "application/json; charset=latin1" } }],
      ["a content encoding", { headers: { "content-encoding": "gzip" } }],
    ])("is refused with %s", async (_name, changes) => {
      expect(await post(changes)).toMatchObject({ status: 415, json: { code: "REQ_415", requestId: "req-1" } });
    });

    it("may say that it is UTF-8", async () => {
      const answer = await post({ headers: { "content-type": 'application/json;charset="UTF-8"' } });

      expect(answer).toMatchObject({ status: 400, json: { code: "PAY_001" } });
    });

    it.each([false, true])("is refused above 64 KiB (chunked: %s) and the connection lives on", async (isChunked) => {
      const answer = await post({ body: "x".repeat(64 * 1024 + 1), isChunked });

      expect(answer).toMatchObject({ status: 413, json: { code: "REQ_413" } });
    });

    it("is read up to 64 KiB exactly", async () => {
      const answer = await post({ body: quote.padEnd(64 * 1024, " ") });

      expect(answer.json).toMatchObject({ code: "PAY_001" });
    });

    it.each([
      ["an empty body", ""],
      ["no JSON", "{"],
      ["an array", "[]"],
      ["text after the value", "{} {}"],
      ["a nesting too deep", `${'{"a":'.repeat(40)}1${"}".repeat(40)}`],
      ["a key given twice", '{"a":1,"a":2}'],
      ["a prototype key", '{"__proto__":{}}'],
      ["malformed UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
      ["a byte order mark", Buffer.from("\uFEFF{}")],
      ["too many elements", `{"a":[${"1,".repeat(100)}1]}`],
    ])("is refused with %s", async (_name, body) => {
      const answer = await post({ body });

      expect(answer).toMatchObject({ status: 400, json: { code: "VE_001", errors: [expect.anything()] } });
      expect(calls).toBe(0);
    });
  });

  it("never shows what an unexpected failure says", async () => {
    const answer = await httpCall(platform.port, "/v2/payment", {
      method: "POST",
      body: pullText,
      headers: { ...(await platform.bearer()), "x-request-id": "req-1" },
    });

    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({ code: "SYS_500", message: "internal error", requestId: "req-1" });
  });

  it("asks to try again when the same request is still running", async () => {
    const answer = await httpCall(platform.port, "/v2/payment/p-1", { headers: await platform.bearer() });

    expect(answer).toMatchObject({ status: 409, json: { code: "IDM_001" }, headers: { "retry-after": "1" } });
  });

  it("answers bytes that are not HTTP with 400 and closes", async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(platform.port, "127.0.0.1", () => socket.write("NONSENSE\r\n\r\n"));
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk.toString();
      });
      socket.on("end", () => resolve(received));
      socket.on("error", reject);
    });

    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("refuses headers above 16 KiB", async () => {
    const answer = await httpCall(platform.port, "/healthz", { headers: { "x-long": "x".repeat(17_000) } });

    expect(answer.status).toBe(431);
  });
});

describe("a service that is away", () => {
  it("is SYS_503 with Retry-After", async () => {
    const platform = await startTestGateway({});
    await platform.peers.servers.fx.stop();

    const answer = await httpCall(platform.port, fxPath, {
      method: "POST",
      body: quote,
      headers: await platform.bearer(),
    });

    expect(answer).toMatchObject({ status: 503, json: { code: "SYS_503" }, headers: { "retry-after": "1" } });
  });
});
