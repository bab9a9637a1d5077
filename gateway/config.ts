import {
  ConfigError,
  type Configured,
  fileContent,
  integer,
  optional,
  port,
  readSettings,
  text,
  withDefault,
} from "../services/shared/config";
import { groundSettings } from "../services/shared/ground";

const settings = {
  ...groundSettings,
  GATEWAY_PORT: withDefault(port, 8080),
  GATEWAY_TLS_PORT: withDefault(port, 8443),
  GATEWAY_TLS_CERT_FILE: optional(fileContent),
  GATEWAY_TLS_KEY_FILE: optional(fileContent),
  GATEWAY_DRAIN_MS: withDefault(integer(0, 20_000), 500),
  AUTH_AUDIENCE: withDefault(text, "corridor"),
  AUTH_TARGET: text,
  SCHEMA_TARGET: text,
  FX_TARGET: text,
  PAYMENT_TARGET: text,
  WALLET_TARGET: text,
  WEBHOOK_TARGET: text,
};

export type GatewayConfig = Configured<typeof settings>;

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

/** Reads the gateway's settings. Plain HTTP exists in the local profile only, and there on loopback only. */
export function readGatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const config = readSettings(settings, env);
  const problems: string[] = [];
  const hasCertificate = config.GATEWAY_TLS_CERT_FILE !== undefined;
  if (hasCertificate !== (config.GATEWAY_TLS_KEY_FILE !== undefined)) {
    problems.push("GATEWAY_TLS_CERT_FILE and GATEWAY_TLS_KEY_FILE must be set together");
  }
  if (config.PROFILE !== "local" && !hasCertificate) {
    problems.push("GATEWAY_TLS_CERT_FILE is required outside the local profile");
  }
  if (config.PROFILE === "local" && !loopback.has(config.LISTEN_HOST)) {
    problems.push("LISTEN_HOST must be a loopback address in the local profile");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
