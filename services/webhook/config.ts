import { type Configured, fileContent, keyFile, optional, readSettings, url } from "../shared/config";
import { serviceSettings } from "../shared/ground";

const settings = {
  ...serviceSettings,
  NATS_URL: url("nats", "tls"),
  WEBHOOK_SEALING_KEY_FILE: keyFile,
  WEBHOOK_CA_FILE: optional(fileContent),
};

export type WebhookConfig = Configured<typeof settings>;

export const readWebhookConfig = (): WebhookConfig => readSettings(settings, process.env);
