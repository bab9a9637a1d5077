import { isNetwork } from "../services/shared/kernel/networks";
import {
  ConfigError,
  type Configured,
  fileContent,
  integer,
  oneOf,
  optional,
  port,
  readableFile,
  readSettings,
  type Setting,
  text,
  withDefault,
} from "../services/shared/process/config";
import { busSettings, runtimeSettings } from "../services/shared/process/runtime";
import { type OperatorToken, parseOperatorTokens } from "./operator/operator-tokens";

/** SHA-256 of a certificate, hex. */
const fingerprint: Setting<string> = (value = "") => {
  const plain = value.replaceAll(":", "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(plain) ? { value: plain } : { problem: "must be a SHA-256 fingerprint in hex" };
};

/** The file is read again while the gateway runs, so its path is kept. */
const operatorTokens: Setting<{ path: string; tokens: ReadonlyMap<string, OperatorToken> }> = (value) => {
  const content = fileContent(value);
  if ("problem" in content) return content;
  const tokens = parseOperatorTokens(content.value);
  return tokens === undefined || tokens.size === 0
    ? { problem: "must name a file with lines of an operator's name and token, roles= and until=" }
    : { value: { path: value ?? "", tokens } };
};

/** Comma-separated networks in CIDR form. */
const networks: Setting<readonly string[]> = (value = "") => {
  const list = value.split(",").map((one) => one.trim());
  return list.every(isNetwork)
    ? { value: list }
    : { problem: "must be networks in CIDR form with commas between them" };
};

const doorNames = ["public", "operator", "console"] as const;

/** The open doors, by name. */
const doors: Setting<ReadonlySet<(typeof doorNames)[number]>> = (value = "") => {
  const named = value.split(",").map((one) => one.trim());
  const known = doorNames.filter((name) => named.includes(name));
  return known.length === named.length
    ? { value: new Set(known) }
    : { problem: `must be some of ${doorNames.join(", ")}, each once, with commas between them` };
};

/** Scheme, host and port of an address, as browsers write it. */
const origin: Setting<string> = (value = "") =>
  URL.canParse(value) && new URL(value).origin === value && value.startsWith("http")
    ? { value }
    : { problem: "must be an origin: scheme, host and port without a path" };

const pathSegment: Setting<string> = (value = "") =>
  /^[a-z0-9-]{1,32}$/.test(value) ? { value } : { problem: "must be 1 to 32 of a-z, 0-9 and -" };

const settings = {
  ...runtimeSettings,
  ...busSettings,
  GATEWAY_PORT: withDefault(port, 8080),
  GATEWAY_TLS_PORT: withDefault(port, 8443),
  GATEWAY_TLS_CERT_FILE: optional(readableFile),
  GATEWAY_TLS_KEY_FILE: optional(readableFile),
  GATEWAY_CLIENT_CA_FILE: optional(readableFile),
  GATEWAY_TRUSTED_HOPS: withDefault(integer(0, 8), 0),
  GATEWAY_PROXY_NETWORKS: withDefault(networks, []),
  GATEWAY_PROXY_CERTIFICATE: optional(fingerprint),
  GATEWAY_PROXY_PROTOCOL_NETWORKS: withDefault(networks, []),
  GATEWAY_MAX_IN_FLIGHT: withDefault(integer(1, 100_000), 1_000),
  GATEWAY_MAX_LAG_MS: withDefault(integer(10, 60_000), 200),
  GATEWAY_REQUEST_MS: withDefault(integer(1_000, 60_000), 15_000),
  GATEWAY_UPLOAD_MS: withDefault(integer(1_000, 240_000), 120_000),
  GATEWAY_UPLOAD_BYTES_PER_SECOND: withDefault(integer(1, 1_000_000), 8_192),
  RATE_LIMIT_FACTOR: withDefault(integer(1, 1_000_000), 1),
  GATEWAY_DOORS: withDefault(doors, new Set<"public" | "operator" | "console">(["public", "operator"])),
  CONSOLE_PORT: withDefault(port, 8082),
  CONSOLE_ORIGIN: optional(origin),
  CONSOLE_DIR: optional(text),
  OPERATOR_PORT: withDefault(port, 8081),
  OPERATOR_TOKENS_FILE: optional(operatorTokens),
  OPERATOR_FOUR_EYES: withDefault(oneOf("on", "off"), "off"),
  GATEWAY_DRAIN_MS: withDefault(integer(0, 20_000), 500),
  LINKER_SEGMENT: withDefault(pathSegment, "plaid"),
  AUTH_AUDIENCE: withDefault(text, "corridor"),
  AUTH_TARGET: text,
  SCHEMA_TARGET: text,
  FX_TARGET: text,
  PAYMENT_TARGET: text,
  WALLET_TARGET: text,
  IDENTITY_TARGET: text,
  WEBHOOK_TARGET: text,
};

export type GatewayConfig = Configured<typeof settings>;

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

/** Reads the gateway's settings. Plain HTTP is allowed in the local profile only, and only on loopback. */
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
  if (config.GATEWAY_PROXY_CERTIFICATE !== undefined && config.GATEWAY_TRUSTED_HOPS === 0) {
    problems.push("GATEWAY_TRUSTED_HOPS must count the proxy that GATEWAY_PROXY_CERTIFICATE names");
  }
  if (config.GATEWAY_TRUSTED_HOPS > 0 && config.GATEWAY_PROXY_NETWORKS.length === 0) {
    problems.push("GATEWAY_PROXY_NETWORKS must say where the proxies of GATEWAY_TRUSTED_HOPS stand");
  }
  if (config.GATEWAY_TRUSTED_HOPS === 0 && config.GATEWAY_PROXY_NETWORKS.length > 0) {
    problems.push(
      "GATEWAY_TRUSTED_HOPS must be 1 or more: the proxies of GATEWAY_PROXY_NETWORKS report no address else",
    );
  }
  if (
    config.GATEWAY_DOORS.has("console") &&
    config.PROFILE !== "local" &&
    !config.CONSOLE_ORIGIN?.startsWith("https:")
  ) {
    problems.push("CONSOLE_ORIGIN must be the https origin of the console outside the local profile");
  }
  if (config.PROFILE === "local" && !loopback.has(config.LISTEN_HOST)) {
    problems.push("LISTEN_HOST must be a loopback address in the local profile");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
