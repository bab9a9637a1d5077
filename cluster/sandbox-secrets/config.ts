import { type Configured, optional, readSettings, text, url, withDefault } from "../../services/shared/process/config";

const settings = {
  SECRETS_NAMESPACE: withDefault(text, "corridor"),
  SECRETS_PREFIX: withDefault(text, "corridor"),
  SECRETS_PUBLIC_HOST: withDefault(text, "corridor.localhost"),
  // By default, the chart's small servers.
  SECRETS_MONGODB_URI: optional(url("mongodb", "mongodb+srv")),
  SECRETS_NATS_URL: optional(url("nats", "tls")),
};

export type SandboxSecretsConfig = Configured<typeof settings>;

/** Reads the settings of the generator of Secrets; throws a ConfigError with every problem. */
export const readSandboxSecretsConfig = (env: NodeJS.ProcessEnv = process.env): SandboxSecretsConfig =>
  readSettings(settings, env);
