import {
  type Configured,
  fileContent,
  integer,
  keyRing,
  optional,
  readSettings,
  withDefault,
} from "../shared/process/config";
import { busSettings, serviceSettings } from "../shared/process/runtime";

const settings = {
  ...serviceSettings,
  ...busSettings,
  NATS_STREAM_REPLICAS: withDefault(integer(1, 5), 1),
  WEBHOOK_SEALING_KEY_FILE: keyRing,
  WEBHOOK_CA_FILE: optional(fileContent),
};

export type WebhookConfig = Configured<typeof settings>;

/** Reads the webhook service's settings. Throws a ConfigError that names every problem. */
export const readWebhookConfig = (env: NodeJS.ProcessEnv = process.env): WebhookConfig => readSettings(settings, env);
