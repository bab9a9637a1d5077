import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { type Gateway, startGateway } from "../../../gateway/app";
import { readGatewayConfig } from "../../../gateway/config";
import { startAuth } from "../../../services/auth/app";
import { readAuthConfig } from "../../../services/auth/config";
import { makeCredential } from "../../../services/shared/crypto/credential";
import type { Clock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Profile } from "../../../services/shared/kernel/profile";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";
import { type HttpAnswer, type HttpCall, httpCall } from "../gateway/http-call";

type AuthOverrides = NonNullable<Parameters<typeof startAuth>[1]>;

/** A tenant with an approved agent, one that waits, and an OAuth client that owns every scope. */
export function makeTenant(tenant: string, env: Profile = "local") {
  const agent = (status: string) => ({
    agentId: systemIds.uuid(),
    apiKey: makeCredential("agent", env, systemIds),
    status,
  });
  return {
    tenant,
    apiKey: makeCredential("key", env, systemIds),
    clientId: `${tenant}-client`,
    clientSecret: makeCredential("secret", env, systemIds),
    agents: [agent("ACTIVE"), agent("PENDING_APPROVAL"), agent("ACTIVE")] as const,
  };
}

export type TestTenant = ReturnType<typeof makeTenant>;

export interface WorldOptions {
  tenants: readonly TestTenant[];
  /** More settings of auth, and of every gateway. */
  auth?: Record<string, string>;
  /** Settings of auth that name files. */
  authFiles?(file: (name: string, text: string) => string): Record<string, string>;
  gateway?: Record<string, string>;
  overrides?: AuthOverrides;
  /** Everything but local speaks HTTPS only, and the operator API too. */
  profile?: Profile;
  /** Authority of the gateway's certificate. */
  ca?: string;
}

/** A real auth service with gateways before it; the other services are away. */
export interface AccessWorld {
  testbed: TestTestbed;
  gateway: Gateway;
  authPort: number;
  folder: string;
  file(name: string, text: string): string;
  startGateway(env?: Record<string, string>, clock?: Clock): Promise<Gateway>;
  call(path: string, call?: HttpCall): Promise<HttpAnswer>;
  /** A call of the operator API. */
  operate(method: string, path: string, body?: object, token?: string): Promise<HttpAnswer>;
  requestToken(tenant: TestTenant, changes?: { secret?: string; scope?: string }, port?: number): Promise<HttpAnswer>;
  /** An access token. */
  tokenOf(tenant: TestTenant, scope?: string): Promise<string>;
  /** One more auth service on the same store and bus, with some settings of its own. */
  startAuthReplica(changes?: Record<string, string>): Promise<Running & { port: number }>;
  stopAuth(): Promise<void>;
  /** Everything that the store holds. */
  storeDump(): Promise<string>;
  stop(): Promise<void>;
}

export const operatorToken = "operator-token-of-at-least-32-characters";

export async function startAccessWorld(options: WorldOptions): Promise<AccessWorld> {
  const folder = mkdtempSync(join(tmpdir(), "access-"));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const testbed = await startTestTestbed();
  const { profile = "local", ca } = options;
  const common = { PROFILE: profile, LOG_LEVEL: "error" };
  const tls = ca === undefined ? {} : { tls: { ca } };
  const authEnv = {
    ...common,
    GRPC_PORT: "0",
    MONGODB_URI: testbed.mongoUri,
    MONGODB_DATABASE: testbed.database("access"),
    ...testbed.busOf("auth"),
    AUTH_ISSUER: "http://127.0.0.1:8080",
    AUTH_AUDIENCE: "corridor",
    AUTH_PEPPER_FILE: file("pepper", "1".repeat(64)),
    AUTH_SEALING_KEY_FILE: file("sealing", "2".repeat(64)),
    AUTH_BOOTSTRAP_FILE: file("bootstrap.json", JSON.stringify({ tenants: options.tenants })),
    ...options.auth,
    ...options.authFiles?.(file),
  };
  const auth = await startAuth(readAuthConfig(authEnv), options.overrides);
  const replicas: Running[] = [];
  let stopping: Promise<void> | undefined;
  const stopAuth = (): Promise<void> => {
    stopping ??= auth.stop();
    return stopping;
  };
  const gateways: Gateway[] = [];
  const start = async (env: Record<string, string> = {}, clock?: Clock): Promise<Gateway> => {
    const target = `ipv4:127.0.0.1:${auth.port}`;
    const away = "ipv4:127.0.0.1:9";
    const settings = {
      ...common,
      GATEWAY_PORT: "0",
      GATEWAY_TLS_PORT: "0",
      GATEWAY_DRAIN_MS: "0",
      GATEWAY_MAX_LAG_MS: "60000",
      RATE_LIMIT_FACTOR: "1000",
      OPERATOR_PORT: "0",
      LINKER_SEGMENT: "linker",
      OPERATOR_TOKENS_FILE: file("operators", `ada ${operatorToken}\n`),
      ...testbed.busOf("gateway"),
      AUTH_TARGET: target,
      SCHEMA_TARGET: away,
      FX_TARGET: away,
      PAYMENT_TARGET: away,
      WALLET_TARGET: away,
      IDENTITY_TARGET: away,
      WEBHOOK_TARGET: away,
      ...options.gateway,
      ...env,
    };
    const gateway = await startGateway(readGatewayConfig(settings), clock === undefined ? {} : { clock });
    gateways.push(gateway);
    return gateway;
  };
  const gateway = await start();
  const call: AccessWorld["call"] = (path, request) => httpCall(gateway.port ?? 0, path, request);
  const requestToken: AccessWorld["requestToken"] = ({ clientId, clientSecret }, { secret, scope } = {}, port) => {
    const parameters = { grant_type: "client_credentials", client_id: clientId, client_secret: secret ?? clientSecret };
    const body = new URLSearchParams({ ...parameters, ...(scope === undefined ? {} : { scope }) }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return httpCall(port ?? gateway.port ?? 0, "/oauth/token", { method: "POST", headers, body });
  };
  return {
    testbed,
    gateway,
    authPort: auth.port,
    folder,
    file,
    startGateway: start,
    async startAuthReplica(changes) {
      const replica = await startAuth(readAuthConfig({ ...authEnv, ...changes }), options.overrides);
      let stopped: Promise<void> | undefined;
      const once = { port: replica.port, stop: () => (stopped ??= replica.stop()) };
      replicas.push(once);
      return once;
    },
    call,
    requestToken,
    operate(method, path, body, token = operatorToken) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return httpCall(gateway.operatorPort ?? 0, path, { method, headers, ...json, ...tls });
    },
    async tokenOf(tenant, scope) {
      const { status, text } = await requestToken(tenant, scope === undefined ? {} : { scope });
      const [, token] = /"access_token":"([^"]+)"/.exec(text) ?? [];
      if (token === undefined) throw new Error(`no token: ${status} ${text}`);
      return token;
    },
    stopAuth,
    async storeDump() {
      const client = new mongo.MongoClient(testbed.mongoUri);
      const database = client.db(testbed.database("access"));
      const names = (await database.listCollections().toArray()).map(({ name }) => name);
      const dumps = await Promise.all(names.map((name) => database.collection(name).find().toArray()));
      await client.close();
      return JSON.stringify(dumps);
    },
    async stop() {
      for (const one of gateways) await one.stop();
      for (const one of replicas) await one.stop();
      await stopAuth();
      await testbed.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
