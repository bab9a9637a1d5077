import { readFileSync } from "node:fs";
import { ConfigError, integer, optional, port, readSettings, text, url, withDefault } from "../services/shared/config";

export interface SandboxConfig {
  /** Address to listen on: loopback unless said. */
  host: string;
  port: number;
  tls: { port: number; cert: string; key: string } | undefined;
  dataDir: string;
  /** The key that callers of the rails present. */
  railKey: string;
  /** What a provider's name is appended to. */
  callbackUrl: string;
  callbackSecret: string;
  /** From the release of an instruction to its payment. */
  settleAfterMs: number;
  /** How long after a release a rail may still come to know of it, by this world's clock. */
  finalityWindowMs: number;
}

/** Reads the configuration of the sandbox, or throws with everything that is wrong with it. */
export function readSandboxConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const settings = readSettings(
    {
      SANDBOX_HOST: withDefault(text, "127.0.0.1"),
      SANDBOX_PORT: withDefault(port, 8090),
      SANDBOX_TLS_PORT: optional(port),
      SANDBOX_TLS_CERT_FILE: optional(text),
      SANDBOX_TLS_KEY_FILE: optional(text),
      SANDBOX_DATA_DIR: text,
      SANDBOX_RAIL_KEY: text,
      SANDBOX_CALLBACK_URL: url("http", "https"),
      SANDBOX_CALLBACK_SECRET: text,
      SANDBOX_SETTLE_AFTER_MS: withDefault(integer(0, 3_600_000), 50),
      SANDBOX_FINALITY_WINDOW_MS: withDefault(integer(0, 3_600_000), 2_000),
    },
    env,
  );
  const { SANDBOX_TLS_PORT: tlsPort, SANDBOX_TLS_CERT_FILE: certFile, SANDBOX_TLS_KEY_FILE: keyFile } = settings;
  return {
    host: settings.SANDBOX_HOST,
    port: settings.SANDBOX_PORT,
    tls: tlsPort === undefined ? undefined : readTls(tlsPort, certFile, keyFile),
    dataDir: settings.SANDBOX_DATA_DIR,
    railKey: settings.SANDBOX_RAIL_KEY,
    callbackUrl: settings.SANDBOX_CALLBACK_URL,
    callbackSecret: settings.SANDBOX_CALLBACK_SECRET,
    settleAfterMs: settings.SANDBOX_SETTLE_AFTER_MS,
    finalityWindowMs: settings.SANDBOX_FINALITY_WINDOW_MS,
  };
}

function readTls(tlsPort: number, certFile: string | undefined, keyFile: string | undefined): SandboxConfig["tls"] {
  try {
    return { port: tlsPort, cert: readFileSync(certFile ?? "", "utf8"), key: readFileSync(keyFile ?? "", "utf8") };
  } catch {
    throw new ConfigError(["SANDBOX_TLS_CERT_FILE and SANDBOX_TLS_KEY_FILE must name readable files if a port is set"]);
  }
}
