import { X509Certificate } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { decodeJwt } from "jose";
import { ensureLocalCa, issueCertificate, type LocalCa } from "../../../local/local-ca";
import { headerOf, startBalancer } from "../../support/balancer";
import { until } from "../../support/platform-client";
import { type HttpAnswer, type HttpCall, httpCall } from "../gateway/http-call";
import { type AccessWorld, makeTenant, startAccessWorld } from "./access-world";

const demo = makeTenant("demo", "sandbox");
const other = makeTenant("other", "sandbox");
const read = (file: string): string => readFileSync(file, "utf8");
const fingerprint = ({ certFile }: LocalCa): string => new X509Certificate(read(certFile)).fingerprint256;

describe("the edge outside the local profile", () => {
  const dir = mkdtempSync(join(tmpdir(), "edge-"));
  const elsewhere = mkdtempSync(join(tmpdir(), "edge-other-"));
  let server: LocalCa;
  let first: LocalCa;
  let second: LocalCa;
  let foreign: LocalCa;
  let stranger: LocalCa;
  let world: AccessWorld;

  beforeAll(async () => {
    server = await ensureLocalCa(dir);
    [first, second, foreign] = [
      await issueCertificate(dir, "demo-first"),
      await issueCertificate(dir, "demo-second"),
      await issueCertificate(dir, "other-only"),
    ];
    await ensureLocalCa(elsewhere);
    stranger = await issueCertificate(elsewhere, "stranger");
    world = await startAccessWorld({
      tenants: [demo, other],
      profile: "sandbox",
      ca: read(server.caFile),
      gateway: {
        GATEWAY_TLS_CERT_FILE: server.certFile,
        GATEWAY_TLS_KEY_FILE: server.keyFile,
        GATEWAY_CLIENT_CA_FILE: server.caFile,
      },
    });
    await change("demo", { certificates: [fingerprint(first), fingerprint(second)] });
    await change("other", { certificates: [fingerprint(foreign)] });
    // The gateway reads the rules again after ten seconds.
    await until(
      async () => (await callAs(first)("/organizations/demo/webhooks", withKey)).status,
      (status) => status !== 401,
    );
  });
  afterAll(async () => {
    await world.stop();
    for (const one of [dir, elsewhere]) rmSync(one, { recursive: true });
  });

  const change = async (tenant: string, body: object): Promise<void> => {
    const { status, text } = await world.operate("PATCH", `/tenants/${tenant}`, body);
    if (status !== 200) throw new Error(text);
  };
  const tlsOf = (own?: LocalCa) => ({
    ca: read(server.caFile),
    ...(own === undefined ? {} : { cert: read(own.certFile), key: read(own.keyFile) }),
  });
  const callAs =
    (own: LocalCa | undefined, port = world.gateway.tlsPort ?? 0) =>
    (path: string, call: HttpCall = {}): Promise<HttpAnswer> =>
      httpCall(port, path, { ...call, tls: tlsOf(own) });
  const withKey = { headers: { "x-api-key": demo.apiKey } };
  /** Asked for with a token: 400 where the token is good. */
  const useToken = (own: LocalCa, token: string): Promise<HttpAnswer> =>
    callAs(own)("/bank", { headers: { authorization: `Bearer ${token}` } });
  const requestToken = (own: LocalCa, tenant = demo): Promise<HttpAnswer> =>
    callAs(own)("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=client_credentials&client_id=${tenant.clientId}&client_secret=${tenant.clientSecret}`,
    });
  const tokenOver = async (own: LocalCa): Promise<string> =>
    /"access_token":"([^"]+)"/.exec((await requestToken(own)).text)?.[1] ?? "";

  it("serves no plain HTTP", () => {
    expect(world.gateway.port).toBeUndefined();
  });

  it("shakes hands with nobody whose certificate is missing or of another authority", async () => {
    await expect(callAs(undefined)("/openapi.json")).rejects.toThrow();
    await expect(callAs(stranger)("/openapi.json")).rejects.toThrow();
    expect((await callAs(first)("/openapi.json")).status).toBe(200);
  });

  it("takes a tenant's credentials with the tenant's own certificates alone", async () => {
    const path = "/organizations/demo/agents";
    const create = (own: LocalCa) => callAs(own)(path, { method: "POST", ...withKey });

    expect((await create(first)).status).toBe(415);
    expect((await create(second)).status).toBe(415);
    expect(await create(foreign)).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
    expect(await requestToken(foreign)).toMatchObject({ status: 401, json: { error: "invalid_client" } });
  });

  it("binds a token to the certificate over which it was issued (RFC 8705)", async () => {
    const token = await tokenOver(first);
    const sha256 = Buffer.from(fingerprint(first).replaceAll(":", ""), "hex").toString("base64url");

    expect(decodeJwt(token)["cnf"]).toEqual({ "x5t#S256": sha256 });
    expect((await useToken(first, token)).status).toBe(400);
    for (const own of [second, foreign]) {
      const answer = await useToken(own, token);
      expect(answer).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="corridor", error="invalid_token"');
    }
  });

  it("looks at the address before the key, and counts only the hops that it trusts", async () => {
    const token = await tokenOver(first);
    const behindProxy = await world.startGateway({
      GATEWAY_TRUSTED_HOPS: "1",
      GATEWAY_PROXY_NETWORKS: "127.0.0.0/8",
    });
    await change("demo", { allowlist: ["203.0.113.0/24", "2001:db8::/32"] });
    const refused = { status: 403, json: { code: "AUTH_003" } };
    const wrongKey = demo.apiKey.slice(0, -1) + (demo.apiKey.endsWith("0") ? "1" : "0");

    const path = "/organizations/demo/agents";
    const viaProxy = (forwarded: string | undefined) =>
      callAs(first, behindProxy.tlsPort)(path, {
        method: "POST",
        headers: { ...withKey.headers, ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }) },
      });
    const known = await until(
      () => useToken(first, token),
      ({ status }) => status === 403,
    );

    expect(known).toMatchObject(refused);
    expect(await requestToken(first)).toMatchObject({ status: 403, json: { error: "access_denied" } });
    // The first gateway may have kept this key's answer, so the other one is asked too.
    expect(await viaProxy(undefined)).toMatchObject(refused);
    expect((await viaProxy("203.0.113.77")).status).toBe(415);
    expect((await viaProxy("198.51.100.1, 2001:db8::7")).status).toBe(415);
    expect(await viaProxy("203.0.113.77, 198.51.100.1")).toMatchObject(refused);
    expect(await viaProxy("nonsense")).toMatchObject(refused);
    const mistyped = await callAs(first)(path, { method: "POST", headers: { "x-api-key": wrongKey } });
    expect(mistyped.status).toBe(401);

    await change("demo", { allowlist: [] });
    await until(
      () => useToken(first, token),
      ({ status }) => status !== 403,
    );
  });

  it("takes the address from the header of a balancer that passes TLS through, and nobody's word beside it", async () => {
    const token = await tokenOver(first);
    const behind = await world.startGateway({ GATEWAY_PROXY_PROTOCOL_NETWORKS: "127.0.0.0/8" });
    const port = behind.tlsPort ?? 0;
    await change("demo", { allowlist: ["203.0.113.0/24"] });
    const through = async (pieces: readonly Buffer[], target = port): Promise<HttpAnswer | "ended"> => {
      const balancer = await startBalancer(target, pieces);
      const headers = { ...withKey.headers, "x-forwarded-for": "203.0.113.77" };
      const call = callAs(first, balancer.port)("/organizations/demo/agents", { method: "POST", headers });
      const answer = await call.catch(() => "ended" as const);
      await balancer.stop();
      return answer;
    };
    const [named, other] = [headerOf("203.0.113.7"), headerOf("198.51.100.1")];
    await until(
      () => useToken(first, token),
      ({ status }) => status === 403,
    );

    expect(await through([named])).toMatchObject({ status: 415 });
    expect(await through([...named].map((byte) => Buffer.from([byte])))).toMatchObject({ status: 415 });
    expect(await through([Buffer.from("PROXY TCP4 203.0.113.9 192.0.2.1 5 443\r\n")])).toMatchObject({ status: 415 });
    const refused = { status: 403, json: { code: "AUTH_003" } };
    expect(await through([other])).toMatchObject(refused);
    expect(await through([Buffer.from("PROXY UNKNOWN\r\n")])).toMatchObject(refused);
    expect(await through([])).toBe("ended");
    expect(await through([Buffer.from("GET / HTTP/1.1\r\n\r\n")])).toBe("ended");
    // Who is no balancer sends no header.
    expect(await through([named], world.gateway.tlsPort ?? 0)).toBe("ended");

    await change("demo", { allowlist: [] });
    await until(
      () => useToken(first, token),
      ({ status }) => status !== 403,
    );
  });

  it("takes up certificates that were replaced, without a restart", async () => {
    const serialOf = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: "127.0.0.1", port: world.gateway.tlsPort ?? 0, ...tlsOf(first) }, () => {
          resolve(socket.getPeerCertificate().serialNumber);
          socket.destroy();
        });
        socket.once("error", reject);
      });
    const before = await serialOf();
    const next = await issueCertificate(dir, "next");
    copyFileSync(next.keyFile, server.keyFile);
    copyFileSync(next.certFile, server.certFile);

    const after = await until(serialOf, (serial) => serial !== before);
    expect(after).not.toBe(before);
    expect((await callAs(first)("/openapi.json")).status).toBe(200);
  });
});

describe("a gateway behind a proxy that ends mutual TLS", () => {
  it("believes the certificate that the named proxy passes on, and nobody else's word", async () => {
    const dir = mkdtempSync(join(tmpdir(), "edge-proxy-"));
    const server = await ensureLocalCa(dir);
    const proxy = await issueCertificate(dir, "proxy");
    const client = await issueCertificate(dir, "client");
    const world = await startAccessWorld({
      tenants: [demo],
      profile: "sandbox",
      ca: read(server.caFile),
      gateway: {
        GATEWAY_TLS_CERT_FILE: server.certFile,
        GATEWAY_TLS_KEY_FILE: server.keyFile,
        GATEWAY_CLIENT_CA_FILE: server.caFile,
        GATEWAY_PROXY_CERTIFICATE: fingerprint(proxy),
        GATEWAY_TRUSTED_HOPS: "1",
        GATEWAY_PROXY_NETWORKS: "127.0.0.0/8",
      },
    });
    await world.operate("PATCH", "/tenants/demo", { certificates: [fingerprint(client)] });
    const send = async (own: LocalCa) => {
      const headers = { "x-api-key": demo.apiKey, "x-client-certificate": encodeURIComponent(read(client.certFile)) };
      const tls = { ca: read(server.caFile), cert: read(own.certFile), key: read(own.keyFile) };
      const gateway = await world.startGateway();
      return (await httpCall(gateway.tlsPort ?? 0, "/organizations/demo/agents", { method: "POST", headers, tls }))
        .status;
    };

    expect(await send(proxy)).toBe(415);
    expect(await send(server)).toBe(401);
    await world.stop();
    rmSync(dir, { recursive: true });
  });
});
