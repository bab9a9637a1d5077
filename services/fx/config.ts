import {
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

/** The fx service's settings, or a ConfigError with every problem. */
export const readFxConfig = (env: NodeJS.ProcessEnv = process.env): FxConfig => readSettings(settings, env);
