import { type Configured, fileContent, keyFile, optional, readSettings } from "../shared/config";
import { busSettings, serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  ...busSettings,
  WEBHOOK_SEALING_KEY_FILE: keyFile,
  WEBHOOK_CA_FILE: optional(fileContent),
};

export type WebhookConfig = Configured<typeof settings>;

export const readWebhookConfig = (): WebhookConfig => readSettings(settings, process.env);
