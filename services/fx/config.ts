import { type Configured, integer, readSettings, withDefault } from "../shared/config";
import { serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  FX_QUOTE_TTL_SECONDS: withDefault(integer(60, 3_600), 900),
};

export type FxConfig = Configured<typeof settings>;

/** The fx service's settings, or a ConfigError with every problem. */
export const readFxConfig = (env: NodeJS.ProcessEnv = process.env): FxConfig => readSettings(settings, env);
