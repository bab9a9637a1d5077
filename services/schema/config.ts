import { type Configured, readSettings } from "../shared/process/config";
import { serviceSettings } from "../shared/process/runtime";

export type SchemaConfig = Configured<typeof serviceSettings>;

/** Reads the schema service's settings; throws a ConfigError with every problem. */
export const readSchemaConfig = (env: NodeJS.ProcessEnv = process.env): SchemaConfig =>
  readSettings(serviceSettings, env);
