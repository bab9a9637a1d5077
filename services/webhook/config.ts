import { type Configured, fileContent, keyFile, optional, readSettings } from "../shared/config";
import { busSettings, serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  ...busSettings,
  WEBHOOK_SEALING_KEY_FILE: keyFile,
  WEBHOOK_CA_FILE: optional(fileContent),
};

export type WebhookConfig = Configured<typeof settings>;

/** The webhook service's settings, or a ConfigError with every problem. */
export const readWebhookConfig = (env: NodeJS.ProcessEnv = process.env): WebhookConfig => readSettings(settings, env);
