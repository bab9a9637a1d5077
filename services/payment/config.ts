import type { Configured } from "../shared/config";
import { fileContent, integer, keyFile, readSettings, text, url, withDefault } from "../shared/config";
import { serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  NATS_URL: text,
  NATS_STREAM_REPLICAS: withDefault(integer(1, 5), 1),
  SCHEMA_TARGET: text,
  FX_TARGET: text,
  PAYMENT_SEALING_KEY_FILE: keyFile,
  RAIL_BASE_URL: url("http", "https"),
  RAIL_API_KEY_FILE: fileContent,
  RAIL_CALLBACK_SECRET_FILE: fileContent,
  RAIL_TIMEOUT_MS: withDefault(integer(100, 3_000), 2_000),
};

export type PaymentConfig = Configured<typeof settings>;

/** The payment service's settings, or a ConfigError with every problem. */
export const readPaymentConfig = (env: NodeJS.ProcessEnv = process.env): PaymentConfig => readSettings(settings, env);
