import { type Configured, integer, readSettings, withDefault } from "../shared/config";
import { serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  FX_QUOTE_TTL_SECONDS: withDefault(integer(60, 3_600), 900),
};

export type FxConfig = Configured<typeof settings>;

export const readFxConfig = (): FxConfig => readSettings(settings, process.env);
