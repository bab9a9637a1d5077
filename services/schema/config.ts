import { type Configured, readSettings } from "../shared/config";
import { serviceSettings } from "../shared/ground";

export type SchemaConfig = Configured<typeof serviceSettings>;

export const readSchemaConfig = (): SchemaConfig => readSettings(serviceSettings, process.env);
