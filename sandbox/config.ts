import { readFileSync } from "node:fs";
import {
  ConfigError,
  integer,
  optional,
  port,
  readSettings,
  type Setting,
  text,
  url,
  withDefault,
} from "../services/shared/process/config";

export interface SandboxConfig {
  /** Address to listen on, loopback by default. */
  host: string;
  port: number;
  tls: { port: number; cert: string; key: string } | undefined;
  dataDir: string;
  /** The key that callers of the rails present. */
  railKey: string;
  /** Base address of callbacks; a provider's name is appended. */
  callbackUrl: string;
  callbackSecret: string;
  /** Callback secrets of single providers, by name; the others sign with `callbackSecret`. */
  callbackSecrets?: Readonly<Record<string, string>>;
  /** Key for readers of statements; by default, the key of the rails. */
  statementKey?: string | undefined;
  /** From the release of an instruction to its payment. */
  settleAfterMs: number;
  /** How long after a release a rail may still learn of it, by the sandbox clock. */
  finalityWindowMs: number;
}

/** A JSON object of texts. */
const texts: Setting<Readonly<Record<string, string>>> = (value) => {
  const problem = { problem: "must be a JSON object of texts" };
  try {
    const found: unknown = JSON.parse(value ?? "{}");
    const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
    const entries = isObject ? Object.entries(found) : [];
    const isGood = isObject && entries.every(([, entry]) => typeof entry === "string" && entry !== "");
    return isGood ? { value: Object.fromEntries(entries.map(([name, entry]) => [name, String(entry)])) } : problem;
  } catch {
    return problem;
  }
};

/** Reads the configuration of the sandbox; throws a ConfigError with every problem. */
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
      SANDBOX_CALLBACK_SECRETS: texts,
      SANDBOX_STATEMENT_KEY: optional(text),
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
    callbackSecrets: settings.SANDBOX_CALLBACK_SECRETS,
    statementKey: settings.SANDBOX_STATEMENT_KEY,
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
