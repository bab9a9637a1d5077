import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CallbackProvider,
  callbackProviders,
  writeCallbackSecrets,
} from "../cluster/sandbox-secrets/callback-secrets";
import { oidcClient } from "../sandbox/oidc/client";
import { makeCredential } from "../services/shared/crypto/credential";
import { systemIds } from "../services/shared/kernel/ids";
import { ensureLocalCa } from "./local-ca";

export interface AgentCredentials {
  agentId: string;
  apiKey: string;
  status: "ACTIVE" | "PENDING_APPROVAL";
}

export interface TenantCredentials {
  tenant: string;
  apiKey: string;
  clientId: string;
  clientSecret: string;
  agents: AgentCredentials[];
}

/** Addresses and credentials of a local platform, as `make run` writes them for its user. */
export interface Credentials {
  baseUrl: string;
  operatorUrl: string;
  consoleUrl: string;
  sandboxUrl: string;
  sinkUrl: string;
  /** Bearer token for the operator API. */
  operatorToken: string;
  /** Token of a second operator, for commands under dual control (`OPERATOR_FOUR_EYES=on`). */
  secondOperatorToken: string;
  tenants: TenantCredentials[];
}

/** Paths of a local platform's secrets; all files are readable by their owner only. */
export interface LocalSecrets {
  credentialsFile: string;
  credentials: Credentials;
  /** A file with one key; `operators` has lines of names and tokens. */
  keyFile(name: KeyName | "operators"): string;
  /** Text of a key file. */
  key(name: KeyName): string;
  /** A file with the callback secret of one provider. */
  callbackSecretFile(provider: CallbackProvider): string;
  /** A file with the callback secrets of all providers that collect and pay out, as lines `name=secret`. */
  callbackSecretsFile: string;
  /** A file with the tokens for the providers' statements. */
  statementTokensFile: string;
  /** Settings for the login of people at the sandbox's issuer. */
  oidcFile: string;
  /** Every callback secret as JSON, for the sandbox. */
  callbackSecrets: string;
  tls: { caFile: string; certFile: string; keyFile: string };
}

const keyNames = [
  "pepper",
  "auth-sealing",
  "payment-sealing",
  "wallet-sealing",
  "webhook-sealing",
  "ledger-seal",
  "identity-sealing",
  "identity-index",
  "rail-api",
  "rail-callback",
  "operator-token",
  "second-operator-token",
] as const;
export type KeyName = (typeof keyNames)[number];

type Urls = Pick<Credentials, "baseUrl" | "operatorUrl" | "consoleUrl" | "sandboxUrl" | "sinkUrl">;

/** Creates the secrets and tenants of a local platform once; a later start finds the same ones. */
export async function bootstrap(dir: string, urls: Urls): Promise<LocalSecrets> {
  const keyDir = join(dir, "keys");
  mkdirSync(keyDir, { recursive: true, mode: 0o700 });
  const keyFile = (name: KeyName | "operators"): string => join(keyDir, name);
  const callbackSecretFile = (provider: CallbackProvider): string => join(keyDir, `callback-${provider}`);
  for (const file of [...keyNames.map(keyFile), ...callbackProviders.map(callbackSecretFile)]) {
    if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  }
  const callbacks = writeCallbackSecrets((provider) => readFileSync(callbackSecretFile(provider), "utf8"));
  const callbackSecretsFile = join(keyDir, "callback-secrets");
  writeFileSync(callbackSecretsFile, callbacks.lines, { mode: 0o600 });
  const statementTokensFile = join(keyDir, "statement-tokens");
  writeFileSync(statementTokensFile, `*=${readFileSync(keyFile("rail-api"), "utf8")}\n`, { mode: 0o600 });
  const oidcFile = join(keyDir, "oidc.json");
  writeFileSync(oidcFile, oidcSettings(urls.sandboxUrl), { mode: 0o600 });
  const credentialsFile = join(dir, "credentials.json");
  const operatorToken = readFileSync(keyFile("operator-token"), "utf8");
  const secondOperatorToken = readFileSync(keyFile("second-operator-token"), "utf8");
  const operators = `local ${operatorToken}\nsecond ${secondOperatorToken}\n`;
  writeFileSync(keyFile("operators"), operators, { mode: 0o600 });
  const tokens = { operatorToken, secondOperatorToken };
  const credentials = { ...urls, ...tokens, tenants: readTenants(credentialsFile) ?? makeTenants() };
  writeFileSync(credentialsFile, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  const tls = await ensureLocalCa(join(dir, "tls"));
  const key = (name: KeyName): string => readFileSync(keyFile(name), "utf8");
  const callbackFiles = { callbackSecretFile, callbackSecretsFile, callbackSecrets: callbacks.json };
  return { credentialsFile, credentials, keyFile, key, ...callbackFiles, statementTokensFile, oidcFile, tls };
}

/** Operators and the tenants' people log in at the issuer of the sandbox. */
function oidcSettings(sandboxUrl: string): string {
  const { clientId, audience, redirectUris } = oidcClient;
  const issuer = `${sandboxUrl}/oidc`;
  const provider = { issuer, clientId, audience, redirectUris, secondFactor: { amr: ["otp"] } };
  return JSON.stringify({ operators: provider, tenants: provider });
}

function readTenants(file: string): TenantCredentials[] | undefined {
  if (!existsSync(file)) return undefined;
  const { tenants } = JSON.parse(readFileSync(file, "utf8")) as Credentials;
  return tenants;
}

const makeTenants = (): TenantCredentials[] => [
  makeTenant("demo", ["ACTIVE", "PENDING_APPROVAL"]),
  makeTenant("other", ["ACTIVE"]),
];

function makeTenant(tenant: string, statuses: AgentCredentials["status"][]): TenantCredentials {
  return {
    tenant,
    apiKey: makeCredential("key", "local", systemIds),
    clientId: `${tenant}-client`,
    clientSecret: makeCredential("secret", "local", systemIds),
    agents: statuses.map((status) => ({
      agentId: randomUUID(),
      apiKey: makeCredential("agent", "local", systemIds),
      status,
    })),
  };
}
