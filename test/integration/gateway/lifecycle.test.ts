import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { get as secureGet } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readGatewayConfig } from "../../../gateway/config";
import { ensureLocalCa } from "../../../local/local-ca";
import { ConfigError } from "../../../services/shared/process/config";
import { type HttpAnswer, httpCall } from "./http-call";
import { pendingReceipt, pullText } from "./sample-payment";
import { startTestGateway } from "./test-gateway";

/**
 * The listener is gone, which a balancer had time to see; a connection that still waited to be taken is reset. Jest's realm
 * has its own Error, so its class says nothing.
 */
const isNewConnectionRefused = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  (error.code === "ECONNREFUSED" || error.code === "ECONNRESET");

/** Long enough for a busy machine to ask twice in it. */
const drainMs = 2_000;

const accepted = { receipt: pendingReceipt, replayed: false };

describe("stopping", () => {
  it("answers what runs, tells callers to leave and refuses none that it took", async () => {
    let taken = 0;
    const acceptPayment = async () => {
      taken += 1;
      await sleep(20);
      return accepted;
    };
    const platform = await startTestGateway({ payment: { acceptPayment } }, { GATEWAY_DRAIN_MS: String(drainMs) });
    const headers = await platform.bearer();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const answers: HttpAnswer[] = [];
    const failures: unknown[] = [];
    let isStopped = false;
    let drainedMs: number | undefined;
    const client = async (): Promise<void> => {
      while (!isStopped) {
        try {
          answers.push(
            await httpCall(platform.port, "/v2/payment", { method: "POST", body: pullText, headers, agent }),
          );
        } catch (error) {
          if (drainedMs !== undefined && performance.now() > drainedMs && isNewConnectionRefused(error)) return;
          failures.push(error);
        }
      }
    };

    const clients = [client(), client(), client(), client()];
    while (answers.length < 4 && failures.length === 0) await sleep(10);
    const before = answers.length;
    drainedMs = performance.now() + drainMs;
    const stopped = platform.gateway.stop();
    await sleep(100);
    const ready = await httpCall(platform.port, "/readyz");
    const alive = await httpCall(platform.port, "/healthz");
    await stopped;
    isStopped = true;
    await Promise.all(clients);

    expect(failures).toEqual([]);
    expect(answers.length).toBeGreaterThan(before);
    expect(answers.length).toBe(taken);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.headers["connection"]).toBe("keep-alive");
    expect(answers.at(-1)?.headers["connection"]).toBe("close");
    expect(ready).toMatchObject({ status: 503, json: { code: "SYS_503", message: "the gateway is stopping" } });
    expect(alive.status).toBe(200);
  });

  it("waits for a slow answer, and not for a caller that says nothing", async () => {
    let isTaken = false;
    const acceptPayment = async () => {
      isTaken = true;
      await sleep(400);
      return accepted;
    };
    const platform = await startTestGateway({ payment: { acceptPayment } });
    const agent = new Agent({ keepAlive: true });
    await httpCall(platform.port, "/healthz", { agent });
    const slow = httpCall(platform.port, "/v2/payment", {
      method: "POST",
      body: pullText,
      headers: await platform.bearer(),
    });
    while (!isTaken) await sleep(10);

    const startedMs = performance.now();
    await platform.gateway.stop();

    expect(await slow).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});

describe("listening", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gateway-tls-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const secure = (port: number, ca: string): Promise<{ status: number; hsts: string | undefined }> =>
    new Promise((resolve, reject) => {
      secureGet({ host: "localhost", port, path: "/healthz", ca, agent: false }, (response) => {
        response.resume();
        const hsts = response.headers["strict-transport-security"];
        response.on("end", () => resolve({ status: response.statusCode ?? 0, hsts }));
      }).on("error", reject);
    });

  it("serves HTTPS beside HTTP in the local profile", async () => {
    const { caFile, certFile, keyFile } = await ensureLocalCa(folder);
    const platform = await startTestGateway({}, { GATEWAY_TLS_CERT_FILE: certFile, GATEWAY_TLS_KEY_FILE: keyFile });

    const answer = await secure(platform.gateway.tlsPort ?? 0, readFileSync(caFile, "utf8"));
    const plain = await httpCall(platform.port, "/healthz");

    expect(answer).toEqual({ status: 200, hsts: "max-age=31536000" });
    expect(plain.headers["strict-transport-security"]).toBeUndefined();
  });

  it("serves HTTPS only in another profile", async () => {
    const { caFile, certFile, keyFile } = await ensureLocalCa(folder);
    const tls = { GATEWAY_TLS_CERT_FILE: certFile, GATEWAY_TLS_KEY_FILE: keyFile };
    const platform = await startTestGateway({}, { PROFILE: "sandbox", ...tls });

    expect(platform.gateway.port).toBeUndefined();
    expect(await secure(platform.gateway.tlsPort ?? 0, readFileSync(caFile, "utf8"))).toMatchObject({ status: 200 });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ PROFILE: "production" }, /GATEWAY_TLS_CERT_FILE is required outside the local profile/],
    [{ PROFILE: "sandbox" }, /GATEWAY_TLS_CERT_FILE is required outside the local profile/],
    [{ LISTEN_HOST: "0.0.0.0" }, /LISTEN_HOST must be a loopback address/],
    [{ GATEWAY_TLS_KEY_FILE: __filename }, /must be set together/],
    [{ FX_TARGET: "" }, /FX_TARGET is required/],
    [{ GATEWAY_TRUSTED_HOPS: "1" }, /GATEWAY_PROXY_NETWORKS must say where/],
    [{ GATEWAY_PROXY_NETWORKS: "10.0.0.0/8" }, /GATEWAY_TRUSTED_HOPS must be 1 or more: .* report no address/],
    [{ GATEWAY_PROXY_NETWORKS: "10.0.0.0" }, /GATEWAY_PROXY_NETWORKS must be networks in CIDR form/],
  ])("does not start with %j", (changes, problem) => {
    const targets = {
      NATS_URL: "nats://127.0.0.1:9",
      AUTH_TARGET: "a",
      SCHEMA_TARGET: "a",
      FX_TARGET: "a",
      PAYMENT_TARGET: "a",
      WALLET_TARGET: "a",
      IDENTITY_TARGET: "a",
      WEBHOOK_TARGET: "a",
    };
    const read = () => readGatewayConfig({ PROFILE: "local", AUTH_AUDIENCE: "a", ...targets, ...changes });

    expect(read).toThrow(ConfigError);
    expect(read).toThrow(problem);
  });
});
