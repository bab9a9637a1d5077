import { type Configured, fileContent, keyFile, readSettings, text } from "../shared/config";
import { serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  SCHEMA_TARGET: text,
  IDENTITY_SEALING_KEY_FILE: keyFile,
  IDENTITY_INDEX_KEY_FILE: keyFile,
  IDENTITY_SCREENING_LIST_FILE: fileContent,
};

export type IdentityConfig = Configured<typeof settings>;

/** The identity service's settings, or a ConfigError with every problem. */
export const readIdentityConfig = (env: NodeJS.ProcessEnv = process.env): IdentityConfig => readSettings(settings, env);
