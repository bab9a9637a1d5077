import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Usage } from "./failures.ts";
import type { TlsFiles } from "./https-fetch.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Where a platform is, and who calls it. */
export interface Profile extends TlsFiles {
  readonly url?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly tenant?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly agentId?: string | undefined;
  readonly agentApiKey?: string | undefined;
  /** The simulated outside world, where there is one. */
  readonly sandboxUrl?: string | undefined;
  /** `yes` or `no`: whether commands that change something ask first. Unless said, they do where no sandbox is known. */
  readonly production?: string | undefined;
}

/** A profile, and where it came from. */
export interface FoundProfile extends Profile {
  readonly from: string;
}

/** Every member of a profile by the variable that wins over what is kept. */
export const profileVariables = {
  url: "CORRIDOR_URL",
  clientId: "CORRIDOR_CLIENT_ID",
  clientSecret: "CORRIDOR_CLIENT_SECRET",
  tenant: "CORRIDOR_TENANT",
  apiKey: "CORRIDOR_API_KEY",
  agentId: "CORRIDOR_AGENT_ID",
  agentApiKey: "CORRIDOR_AGENT_API_KEY",
  sandboxUrl: "CORRIDOR_SANDBOX_URL",
  caFile: "CORRIDOR_CA_FILE",
  certFile: "CORRIDOR_CERT_FILE",
  keyFile: "CORRIDOR_KEY_FILE",
  serverName: "CORRIDOR_SERVER_NAME",
  production: "CORRIDOR_PRODUCTION",
} as const satisfies Record<keyof Profile, string>;

/** The folder of what is kept for a user. */
export const configFolder = (env: Env): string =>
  resolve(
    env["CORRIDOR_CONFIG_DIR"] ?? join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? homedir(), ".config"), "corridor"),
  );

const configFile = (env: Env): string => join(configFolder(env), "config.json");

/** Writes what only its owner may read, whole or not at all. */
export function writeSecret(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readProfiles(env: Env): Readonly<Record<string, Profile>> {
  const file = configFile(env);
  if (!existsSync(file)) return {};
  return (JSON.parse(readFileSync(file, "utf8")) as { profiles: Record<string, Profile> }).profiles;
}

/** Names under which platforms are kept. */
export const profileNamesOf = (env: Env): readonly string[] => Object.keys(readProfiles(env));

/** True where what is changed may be real. Whoever says nothing is taken to mean production, unless a sandbox is known. */
export function isProduction({ production, sandboxUrl }: Profile): boolean {
  if (production === undefined) return sandboxUrl === undefined;
  if (production !== "yes" && production !== "no") throw new Usage(`production is yes or no, not ${production}`);
  return production === "yes";
}

/** Keeps a profile; returns the file that it is in. */
export function keepProfile(env: Env, name: string, profile: Profile): string {
  const file = configFile(env);
  writeSecret(file, { profiles: { ...readProfiles(env), [name]: profile } });
  return file;
}

/** Forgets a profile; false where there was none. */
export function dropProfile(env: Env, name: string): boolean {
  const { [name]: dropped, ...others } = readProfiles(env);
  if (dropped !== undefined) writeSecret(configFile(env), { profiles: others });
  return dropped !== undefined;
}

/**
 * The platform that is meant: variables win over the profile that was named, or over `default`; without one it is the platform
 * of this checkout, by the file that `make run` writes.
 */
export function findProfile(env: Env, name: string | undefined): FoundProfile {
  const given = Object.entries(profileVariables).flatMap(([member, variable]) =>
    env[variable] === undefined || env[variable] === "" ? [] : [[member, env[variable]] as const],
  );
  const kept = keptProfile(env, name);
  const from = [...(given.length === 0 ? [] : ["the environment"]), ...(kept === undefined ? [] : [kept.from])];
  return { ...kept, ...Object.fromEntries(given), from: from.join(" and ") };
}

function keptProfile(env: Env, name = env["CORRIDOR_PROFILE"]): FoundProfile | undefined {
  const profiles = readProfiles(env);
  const kept = profiles[name ?? "default"];
  if (kept !== undefined) return { ...kept, from: `profile ${name ?? "default"} of ${configFile(env)}` };
  if (name !== undefined) throw new Usage(`there is no profile ${name}: corridor login --profile ${name}`);
  // Who names a platform by its address means that one, and not the one that runs here.
  return env["CORRIDOR_URL"] === undefined ? localProfile(env) : undefined;
}

/** What `make run` writes for its user, as far as it is needed. */
export interface LocalPlatform {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly secondOperatorToken: string;
  readonly tenants: readonly {
    readonly tenant: string;
    readonly apiKey: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly agents: readonly { readonly agentId: string; readonly apiKey: string; readonly status: string }[];
  }[];
}

/** The credentials of a platform that runs in this folder, or in that of CORRIDOR_DIR; undefined where there is none. */
export function readLocalPlatform(env: Env): LocalPlatform | undefined {
  const file = localFile(env);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as LocalPlatform) : undefined;
}

const localFile = (env: Env): string => resolve(env["CORRIDOR_DIR"] ?? ".local", "credentials.json");

function localProfile(env: Env): FoundProfile | undefined {
  const local = readLocalPlatform(env);
  const wanted = env["CORRIDOR_TENANT"];
  const tenant = local?.tenants.find((one) => wanted === undefined || one.tenant === wanted);
  if (local === undefined || tenant === undefined) return undefined;
  const agent = tenant.agents.find(({ status }) => status === "ACTIVE");
  const { apiKey, clientId, clientSecret } = tenant;
  return {
    ...{ url: local.baseUrl, sandboxUrl: local.sandboxUrl, tenant: tenant.tenant, apiKey, clientId, clientSecret },
    ...(agent === undefined ? {} : { agentId: agent.agentId, agentApiKey: agent.apiKey }),
    from: localFile(env),
  };
}
