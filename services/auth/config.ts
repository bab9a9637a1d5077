import {
  ConfigError,
  type Configured,
  fileContent,
  integer,
  keyRing,
  optional,
  readSettings,
  text,
  url,
  withDefault,
} from "../shared/process/config";
import { busSettings, serviceSettings } from "../shared/process/runtime";
import { type OidcSettings, parseOidcSettings } from "./domain/oidc-settings";

const settings = {
  ...serviceSettings,
  ...busSettings,
  NATS_STREAM_REPLICAS: withDefault(integer(1, 5), 1),
  AUTH_ISSUER: url("http", "https"),
  AUTH_AUDIENCE: text,
  AUTH_TOKEN_TTL_SECONDS: withDefault(integer(60, 86_400), 3_600),
  AUTH_KEY_LIFE_HOURS: withDefault(integer(1, 8_760), 2_160),
  AUTH_KEY_LEAD_SECONDS: withDefault(integer(60, 86_400), 7_200),
  AUTH_PEPPER_FILE: keyRing,
  AUTH_SEALING_KEY_FILE: keyRing,
  AUTH_BOOTSTRAP_FILE: optional(fileContent),
  AUTH_OIDC_FILE: optional(fileContent),
  AUTH_ANCHOR_FILE: optional(text),
  AUTH_ANCHOR_SECONDS: withDefault(integer(1, 3_600), 10),
  AUTH_AUDIT_KEEP_DAYS: withDefault(integer(365, 36_500), 400),
};

export type AuthConfig = Omit<Configured<typeof settings>, "AUTH_OIDC_FILE"> &
  Readonly<Record<"AUTH_OIDC_FILE", OidcSettings | undefined>>;

/** Reads the auth service's settings; throws a ConfigError with every problem. */
export function readAuthConfig(env: NodeJS.ProcessEnv = process.env): AuthConfig {
  const { AUTH_OIDC_FILE: oidc, ...config } = readSettings(settings, env);
  if (oidc === undefined) return { ...config, AUTH_OIDC_FILE: undefined };
  const { value, problems } = parseOidcSettings(oidc, config.PROFILE);
  if (problems !== undefined) throw new ConfigError(problems.map((problem) => `AUTH_OIDC_FILE: ${problem}`));
  return { ...config, AUTH_OIDC_FILE: value };
}
