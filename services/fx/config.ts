import {
  ConfigError,
  type Configured,
  fileContent,
  integer,
  optional,
  readSettings,
  text,
  url,
  withDefault,
} from "../shared/config";
import { serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  SCHEMA_TARGET: text,
  FX_ROUTES_FILE: optional(fileContent),
  FX_QUOTE_TTL_SECONDS: withDefault(integer(60, 3_600), 900),
  FX_RATES_URL: optional(url("https", "http")),
  FX_RATES_REFRESH_SECONDS: withDefault(integer(1, 86_400), 900),
  FX_RATES_MAX_AGE_SECONDS: withDefault(integer(1, 604_800), 86_400),
};

export type FxConfig = Configured<typeof settings>;

/** The fx service's settings, or a ConfigError with every problem. Production quotes by a live source over TLS alone. */
export function readFxConfig(env: NodeJS.ProcessEnv = process.env): FxConfig {
  const config = readSettings(settings, env);
  const { PROFILE: profile, FX_RATES_URL: rates } = config;
  if (profile === "production" && !rates?.startsWith("https:")) {
    const problem = rates === undefined ? "is required" : "must be a URL with scheme https";
    throw new ConfigError([`FX_RATES_URL ${problem} in the production profile`]);
  }
  return config;
}
