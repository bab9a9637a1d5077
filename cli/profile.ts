import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Usage } from "./failures.ts";
import type { TlsFiles } from "./https-fetch.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Address of a platform, and credentials of the caller. */
export interface Profile extends TlsFiles {
  readonly url?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly tenant?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly agentId?: string | undefined;
  readonly agentApiKey?: string | undefined;
  /** Address of the simulated outside world, if there is one. */
  readonly sandboxUrl?: string | undefined;
  /** `yes` or `no`: whether commands that change something ask first. By default they do if no sandbox is known. */
  readonly production?: string | undefined;
}

/** A profile, and its source. */
export interface FoundProfile extends Profile {
  readonly from: string;
}

/** Every member of a profile by the variable that overrides it. */
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

/** The folder of a user's stored files. */
export const configFolder = (env: Env): string =>
  resolve(
    env["CORRIDOR_CONFIG_DIR"] ?? join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? homedir(), ".config"), "corridor"),
  );

const configFile = (env: Env): string => join(configFolder(env), "config.json");

/** Writes a file that only its owner may read, in full or not at all. */
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

/** Names of stored profiles. */
export const profileNamesOf = (env: Env): readonly string[] => Object.keys(readProfiles(env));

/** True if changes may be real. Without a statement it is production, unless a sandbox is known. */
export function isProduction({ production, sandboxUrl }: Profile): boolean {
  if (production === undefined) return sandboxUrl === undefined;
  if (production !== "yes" && production !== "no") throw new Usage(`production is yes or no, not ${production}`);
  return production === "yes";
}

/** Stores a profile; returns its file. */
export function keepProfile(env: Env, name: string, profile: Profile): string {
  const file = configFile(env);
  writeSecret(file, { profiles: { ...readProfiles(env), [name]: profile } });
  return file;
}

/** Removes a profile; returns false if there was none. */
export function dropProfile(env: Env, name: string): boolean {
  const { [name]: dropped, ...others } = readProfiles(env);
  if (dropped !== undefined) writeSecret(configFile(env), { profiles: others });
  return dropped !== undefined;
}

/**
 * Returns the platform to call: variables win over the named profile, or over `default`; without one it is the platform of this checkout,
 * by the file that `make run` writes.
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
  // A caller who gives an address means that platform, and not the one that runs here.
  return env["CORRIDOR_URL"] === undefined ? localProfile(env) : undefined;
}

/** The needed part of what `make run` writes for its user. */
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

/** The credentials of a platform that runs in this folder, or in that of CORRIDOR_DIR; undefined if there is none. */
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
