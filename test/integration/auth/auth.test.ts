import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { authServices } from "../../../gateway/clients";
import { startAuth } from "../../../services/auth/app";
import { readAuthConfig } from "../../../services/auth/config";
import { makeCredential } from "../../../services/shared/crypto/credential";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";

const issuer = "http://127.0.0.1:8080";
const audience = "corridor";
const at = new Date("2026-03-01T12:00:00.500Z");
const clock = { now: () => at };

const agent = (status: string) => ({
  agentId: systemIds.uuid(),
  apiKey: makeCredential("agent", "local", systemIds),
  status,
});
const tenant = (name: string, ...agents: ReturnType<typeof agent>[]) => ({
  tenant: name,
  apiKey: makeCredential("key", "local", systemIds),
  clientId: `${name}-client`,
  clientSecret: makeCredential("secret", "local", systemIds),
  agents,
});

type Auth = Rpc<typeof authServices>;
const address = "127.0.0.1";

async function keysOf(auth: Auth): Promise<JSONWebKeySet> {
  const { jwksJson } = await auth.getKeySet({});
  return JSON.parse(jwksJson.toString()) as JSONWebKeySet;
}

describe("auth", () => {
  const approved = agent("ACTIVE");
  const pending = agent("PENDING_APPROVAL");
  const foreign = agent("ACTIVE");
  const demo = tenant("demo", approved, pending);
  const other = tenant("other", foreign);
  let store: TestTestbed;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let auth: Auth;
  let running: Running[] = [];

  const start = async (overrides: NodeJS.ProcessEnv = {}): Promise<Auth> => {
    const service = await startAuth(readAuthConfig({ ...env, ...overrides }), { clock });
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(authServices, options);
    running.push(service, client);
    return client;
  };
  const stopServices = async (): Promise<void> => {
    await Promise.all(running.map((part) => part.stop()));
    running = [];
  };
  const file = async (name: string, content: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  const verify = async (token: string, now = at) => {
    const keySet = createLocalJWKSet(await keysOf(auth));
    return jwtVerify(token, keySet, { issuer, audience, algorithms: ["RS256"], typ: "at+jwt", currentDate: now });
  };

  beforeAll(async () => {
    store = await startTestTestbed();
    folder = await mkdtemp(join(tmpdir(), "corridor-auth-"));
    env = {
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: store.mongoUri,
      MONGODB_DATABASE: store.database("auth"),
      ...store.busOf("auth"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      AUTH_PEPPER_FILE: await file("pepper", "ab".repeat(32)),
      AUTH_SEALING_KEY_FILE: await file("sealing-key", "cd".repeat(32)),
      AUTH_BOOTSTRAP_FILE: await file("credentials.json", JSON.stringify({ baseUrl: "", tenants: [demo, other] })),
    };
  });
  afterAll(async () => {
    await store.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    auth = await start();
  });
  afterEach(stopServices);

  describe("issueToken", () => {
    const request = { clientId: demo.clientId, clientSecret: demo.clientSecret, address };

    it("signs a token with the agreed claims, which the key set verifies", async () => {
      const issued = await auth.issueToken({ ...request, scope: "payments fx" });
      const { payload, protectedHeader } = await verify(issued.accessToken);

      expect(issued).toMatchObject({ expiresInSeconds: 3_600, scope: "payments fx" });
      const [key] = (await keysOf(auth)).keys;
      expect(protectedHeader).toEqual({ alg: "RS256", typ: "at+jwt", kid: key?.kid });
      expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
      const iat = Math.floor(at.getTime() / 1_000);
      expect(payload).toEqual({
        iss: issuer,
        aud: audience,
        sub: demo.clientId,
        tenant: "demo",
        env: "local",
        scope: "payments fx",
        jti: payload.jti,
        secret_id: demo.clientSecret.split("_")[2],
        iat,
        exp: iat + 3_600,
      });
      await expect(verify(issued.accessToken, new Date(at.getTime() + 3_600_000))).rejects.toThrow("exp");
    });

    it("grants every scope when none is asked for, in a new token each time", async () => {
      const [first, second] = await Promise.all([auth.issueToken(request), auth.issueToken(request)]);

      expect(first.scope).toBe("payments fx schemas persons checks banks balance wallets sessions verifications");
      expect(first.accessToken).not.toBe(second.accessToken);
    });

    it.each([
      ["a wrong secret", { clientSecret: makeCredential("secret", "local", systemIds) }],
      [
        "an altered secret",
        { clientSecret: `${demo.clientSecret.slice(0, -1)}${demo.clientSecret.endsWith("0") ? "1" : "0"}` },
      ],
      ["another client's secret", { clientSecret: other.clientSecret }],
      ["an API key as the secret", { clientSecret: demo.apiKey }],
      ["a secret of another environment", { clientSecret: demo.clientSecret.replace("_local_", "_production_") }],
      ["no secret", { clientSecret: "" }],
      ["an unknown client", { clientId: "nobody" }],
      ["a client id of 100 KB", { clientId: "x".repeat(100_000) }],
    ])("refuses %s", async (_case, change) => {
      await expect(auth.issueToken({ ...request, ...change })).rejects.toMatchObject({
        reason: "OAUTH_INVALID_CLIENT",
      });
    });

    it("refuses an unknown scope", async () => {
      await expect(auth.issueToken({ ...request, scope: "payments admin" })).rejects.toMatchObject({
        reason: "OAUTH_INVALID_SCOPE",
      });
    });
  });

  describe("authenticateKey", () => {
    const asAgent = { address, apiKey: demo.apiKey, agentId: approved.agentId, agentApiKey: approved.apiKey };

    it("tells the tenant, and the agent when its credentials are sent", async () => {
      expect(await auth.authenticateKey({ apiKey: demo.apiKey, address })).toEqual({
        tenant: "demo",
        agentId: undefined,
      });
      expect(await auth.authenticateKey(asAgent)).toEqual({ tenant: "demo", agentId: approved.agentId });
    });

    it.each([
      ["an unknown key", makeCredential("key", "local", systemIds)],
      ["an agent's key", approved.apiKey],
      ["a key of another environment", demo.apiKey.replace("_local_", "_sandbox_")],
      ["no key", ""],
    ])("refuses %s, with agent credentials too", async (_case, apiKey) => {
      const refusal = { reason: "UNAUTHENTICATED" };

      await expect(auth.authenticateKey({ apiKey, address })).rejects.toMatchObject(refusal);
      await expect(auth.authenticateKey({ ...asAgent, apiKey })).rejects.toMatchObject(refusal);
    });

    it.each([
      ["an agent that is not approved", { agentId: pending.agentId, agentApiKey: pending.apiKey }],
      ["another tenant's agent", { agentId: foreign.agentId, agentApiKey: foreign.apiKey }],
      ["another agent's key", { agentApiKey: pending.apiKey }],
      ["an unknown agent", { agentId: systemIds.uuid() }],
      ["the tenant's key as the agent's", { agentApiKey: demo.apiKey }],
      ["an agent without its key", { agentApiKey: undefined }],
      ["an agent's key without its id", { agentId: undefined }],
    ])("refuses %s", async (_case, change) => {
      await expect(auth.authenticateKey({ ...asAgent, ...change })).rejects.toMatchObject({ reason: "AGENT_REFUSED" });
    });
  });

  describe("start", () => {
    it("keeps its keys: a token lives on over a restart", async () => {
      const { accessToken } = await auth.issueToken({
        clientId: demo.clientId,
        clientSecret: demo.clientSecret,
        address,
      });

      await stopServices();
      auth = await start();

      await expect(verify(accessToken)).resolves.toMatchObject({ payload: { tenant: "demo" } });
    });

    it("refuses another environment's credentials although the store knows them", async () => {
      const sandbox = await start({ PROFILE: "sandbox", AUTH_BOOTSTRAP_FILE: "" });
      const { apiKey, clientId, clientSecret } = demo;

      await expect(sandbox.authenticateKey({ apiKey, address })).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
      await expect(sandbox.issueToken({ clientId, clientSecret, address })).rejects.toMatchObject({
        reason: "OAUTH_INVALID_CLIENT",
      });
    });

    it("serves what was imported before when the bootstrap file is gone", async () => {
      await stopServices();
      auth = await start({ AUTH_BOOTSTRAP_FILE: "" });

      await expect(auth.authenticateKey({ apiKey: demo.apiKey, address })).resolves.toMatchObject({ tenant: "demo" });
    });

    it("agrees on one key when two replicas start at once on an empty store", async () => {
      const empty = { MONGODB_DATABASE: store.database("auth-race") };
      const [one, two] = await Promise.all([start(empty), start(empty)]);
      const { accessToken } = await one.issueToken({
        clientId: demo.clientId,
        clientSecret: demo.clientSecret,
        address,
      });
      const [first, second] = await Promise.all([keysOf(one), keysOf(two)]);

      expect(first).toEqual(second);
      expect(first.keys).toMatchObject([{ kty: "RSA", e: "AQAB", alg: "RS256", use: "sig" }]);
      expect(Object.keys(first.keys[0] ?? {}).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
      expect(decodeProtectedHeader(accessToken).kid).toBe(first.keys[0]?.kid);
    });

    it("stores neither a credential nor a private key in clear text", async () => {
      const options = {
        uri: store.mongoUri,
        database: store.database("auth"),
        profile: "local",
        tracing: noTracing,
      } as const;
      const mongo = await openMongo(options);
      const names = ["clients", "agents", "credentials", "signing_keys"];
      const dump = JSON.stringify(
        await Promise.all(names.map((name) => mongo.connection.collection(name).find().toArray())),
      );
      await mongo.stop();

      expect(dump).toContain(demo.clientId);
      for (const { apiKey, clientSecret, agents } of [demo, other]) {
        for (const credential of [apiKey, clientSecret, ...agents.map((partner) => partner.apiKey)]) {
          expect(dump).not.toContain(credential.split("_")[3]);
        }
      }
      expect(dump).not.toContain("PRIVATE KEY");
    });
  });

  it("leases tokens of buckets that have a name and a size alone", async () => {
    auth = await start();
    const lease = { bucket: "read:demo", capacity: 10, perSecond: 1, wanted: 4 };
    expect(await auth.leaseTokens(lease)).toMatchObject({ granted: 4 });
    for (const [field, value] of [
      ["bucket", ""],
      ["bucket", "b".repeat(513)],
      ["capacity", 0],
      ["capacity", Number.POSITIVE_INFINITY],
      ["perSecond", -1],
      ["perSecond", Number.NaN],
      ["wanted", 0],
      ["wanted", Number.POSITIVE_INFINITY],
    ] as const) {
      const refused = { reason: "INVALID_ARGUMENT", violations: [expect.objectContaining({ field })] };
      await expect(auth.leaseTokens({ ...lease, [field]: value })).rejects.toMatchObject(refused);
    }
    expect(await auth.leaseTokens(lease)).toMatchObject({ granted: 4 });
  });
});
