import {
  type Configured,
  fileContent,
  integer,
  keyRing,
  readableFile,
  readSettings,
  type Setting,
  secretFile,
  text,
  url,
  withDefault,
} from "../shared/process/config";
import { busSettings, serviceSettings } from "../shared/process/runtime";

/** Comma-separated slugs, or a star for all. */
const tenants: Setting<string> = (value = "") =>
  /^(|\*|[a-z0-9-]+(,[a-z0-9-]+)*)$/.test(value)
    ? { value }
    : { problem: "must be *, or slugs with commas between them" };

const settings = {
  ...serviceSettings,
  ...busSettings,
  NATS_STREAM_REPLICAS: withDefault(integer(1, 5), 1),
  SCHEMA_TARGET: text,
  IDENTITY_SEALING_KEY_FILE: keyRing,
  IDENTITY_INDEX_KEY_FILE: keyRing,
  IDENTITY_SCREENING_LIST_FILE: readableFile,
  KYC_BASE_URL: url("http", "https"),
  KYC_API_KEY_FILE: fileContent,
  KYC_CALLBACK_SECRET_FILE: secretFile,
  KYC_TIMEOUT_MS: withDefault(integer(100, 3_000), 2_000),
  DOCUMENT_READING_TENANTS: withDefault(tenants, ""),
  KYC_REDECISION_HOURS: withDefault(integer(1, 8_760), 720),
  SCREENING_BASE_URL: url("http", "https"),
  SCREENING_API_KEY_FILE: fileContent,
  SCREENING_CALLBACK_SECRET_FILE: secretFile,
  SCREENING_TIMEOUT_MS: withDefault(integer(100, 3_000), 2_000),
};

export type IdentityConfig = Configured<typeof settings>;

/** Reads the identity service's settings; throws a ConfigError with every problem. */
export const readIdentityConfig = (env: NodeJS.ProcessEnv = process.env): IdentityConfig => readSettings(settings, env);
