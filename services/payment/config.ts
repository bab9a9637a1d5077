import type { Configured, Setting } from "../shared/process/config";
import {
  fileContent,
  integer,
  keyRing,
  namedSecrets,
  optional,
  readSettings,
  text,
  url,
  withDefault,
} from "../shared/process/config";
import { busSettings, serviceSettings } from "../shared/process/runtime";
import { readTerms, type TermsTable } from "./domain/terms";

/** Reads the terms of tenants as JSON, in the form of terms.json. */
const termsTable: Setting<TermsTable> = (value) => {
  const table = readTerms(value ?? "");
  return table === undefined ? { problem: "must be JSON in the form of terms.json" } : { value: table };
};

const settings = {
  ...serviceSettings,
  ...busSettings,
  NATS_STREAM_REPLICAS: withDefault(integer(1, 5), 1),
  SCHEMA_TARGET: text,
  FX_TARGET: text,
  WALLET_TARGET: text,
  IDENTITY_TARGET: text,
  AUTH_TARGET: optional(text),
  WEBHOOK_TARGET: optional(text),
  PAYMENT_SEALING_KEY_FILE: keyRing,
  RAIL_BASE_URL: url("http", "https"),
  RAIL_API_KEY_FILE: fileContent,
  PROVIDER_CALLBACK_SECRETS_FILE: namedSecrets,
  RAIL_TIMEOUT_MS: withDefault(integer(100, 2_000), 2_000),
  RAIL_FINALITY_MS: withDefault(integer(0, 3_600_000), 2_000),
  LINKER_BASE_URL: url("http", "https"),
  LINKER_CLIENT_ID: text,
  LINKER_SECRET_FILE: fileContent,
  RATE_LIMIT_FACTOR: withDefault(integer(1, 1_000_000), 1),
  PAYMENT_TERMS: optional(termsTable),
  PAYMENT_EVIDENCE_DAYS: withDefault(integer(1, 36_500), 3_653),
};

export type PaymentConfig = Configured<typeof settings>;

/** Reads the payment service's settings. Throws a ConfigError with every problem. */
export const readPaymentConfig = (env: NodeJS.ProcessEnv = process.env): PaymentConfig => readSettings(settings, env);
