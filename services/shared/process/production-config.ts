import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { systemClock } from "../kernel/clock";
import { looksIssued, looksRandom } from "./secrets";

/** Settings of one process, by the names of their variables. */
export type Settings = Readonly<Record<string, unknown>>;

const textOf = (config: Settings, name: string): string | undefined => {
  const value = config[name];
  return typeof value === "string" ? value : undefined;
};

/** Lists the settings of a process that are too weak for production. Names settings, never values. */
export function weaknessesOfConfig(service: string, config: Settings): string[] {
  return [
    ...weakCalls(service, config),
    ...weakAddresses(config),
    ...weakSecrets(config),
    ...(service === "gateway" ? weakDoors(config) : []),
    ...(service === "fx" && config["FX_RATES_URL"] === undefined
      ? ["FX_RATES_URL is required: the packaged rates are those of the day of the release"]
      : []),
    ...(config["CLOCK_URL"] === undefined ? [] : ["CLOCK_URL is for the local profile only"]),
  ];
}

const rpcFiles = ["RPC_TLS_CA_FILE", "RPC_TLS_CERT_FILE", "RPC_TLS_KEY_FILE"];

function weakCalls(service: string, config: Settings): string[] {
  const missing = rpcFiles.filter((name) => config[name] === undefined);
  const certificate = textOf(config, "RPC_TLS_CERT_FILE");
  if (missing.length > 0 || certificate === undefined) return missing.map((name) => `${name} is required`);
  const hosts = hostsOf(certificate);
  return hosts?.some((host) => new RegExp(`^[a-z0-9-]+-${service}\\.[a-z0-9-]+\\.`).test(host)) === true
    ? []
    : [`RPC_TLS_CERT_FILE must be for <release>-${service}.<namespace>.svc`];
}

function hostsOf(file: string): string[] | undefined {
  try {
    const names = new X509Certificate(readFileSync(file)).subjectAltName ?? "";
    return names.split(", ").flatMap((name) => (name.startsWith("DNS:") ? [name.slice(4)] : []));
  } catch {
    return undefined;
  }
}

/** Checks addresses that are dialled; names in our own mesh have their own certificates. */
function weakAddresses(config: Settings): string[] {
  const weak: string[] = [];
  for (const [name, value] of Object.entries(config)) {
    const listed = addressesIn(value);
    if (listed.some((address) => address.startsWith("http:")))
      weak.push(`${name} must have addresses that begin with https://`);
    if (/_URL$|_ISSUER$|_ENDPOINT$/.test(name) && String(value).startsWith("http:"))
      weak.push(`${name} must begin with https://`);
    const dialled = /_URL$/.test(name) && typeof value === "string" ? [value, ...listed] : listed;
    if (dialled.some(isOfSandbox) && !ownAddresses.has(name)) weak.push(`${name} must not be an address of a sandbox`);
  }
  const store = textOf(config, "MONGODB_URI");
  if (store !== undefined && !usesTls(store)) weak.push("MONGODB_URI must set tls=true and disable none of its checks");
  if (store !== undefined && !showsCredential(store))
    weak.push(
      "MONGODB_URI must name a user with a password of 12 characters or more that is no example, or an authMechanism without one",
    );
  if (store !== undefined && config["STORE_DISKS_ENCRYPTED"] !== "yes") {
    weak.push("STORE_DISKS_ENCRYPTED must be yes: the store's disks have to be encrypted");
  }
  const bus = textOf(config, "NATS_URL");
  if (bus !== undefined && !bus.startsWith("tls:")) weak.push("NATS_URL must begin with tls://");
  if (bus !== undefined && config["NATS_PASSWORD_FILE"] === undefined) weak.push("NATS_PASSWORD_FILE is required");
  const replicas = config["NATS_STREAM_REPLICAS"];
  if (typeof replicas === "number" && replicas < 3) weak.push("NATS_STREAM_REPLICAS must be 3 or more");
  return weak;
}

/** Addresses in a list of places. */
const addressesIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown) =>
        typeof one === "object" && one !== null && "url" in one ? [String(one.url)] : [],
      )
    : [];

/** Addresses of the store and the bus, which may stand anywhere, and the clock of the local profile, which has a rule of its own. */
const ownAddresses: ReadonlySet<string> = new Set(["NATS_URL", "CLOCK_URL"]);

/** True for a provider's test environment. */
function isOfSandbox(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  return /(?:^|[.-])sandbox(?:[.-]|$)/.test(host);
}

const optionsOf = (uri: string): URLSearchParams =>
  new URLSearchParams(uri.split("?").slice(1).join("?").toLowerCase());

/** A parameter that is given twice counts as the weaker of the two. */
function usesTls(uri: string): boolean {
  const options = optionsOf(uri);
  const said = [...options.getAll("tls"), ...options.getAll("ssl")];
  const isOn = said.length === 0 ? uri.startsWith("mongodb+srv:") : said.every((value) => value === "true");
  const isUnchecked = ["tlsinsecure", "tlsallowinvalidcertificates", "tlsallowinvalidhostnames"].some((name) =>
    options.getAll(name).includes("true"),
  );
  return isOn && !isUnchecked;
}

/** Mechanisms by which a client shows something else than a password of the address. */
const otherMechanisms: ReadonlySet<string> = new Set(["mongodb-x509", "mongodb-aws", "mongodb-oidc", "gssapi"]);

function showsCredential(uri: string): boolean {
  const [, password] = /^mongodb(?:\+srv)?:\/\/[^:@/]+:([^@/]*)@/.exec(uri) ?? [];
  if (password !== undefined) return looksIssued(decoded(password));
  return otherMechanisms.has(optionsOf(uri).get("authmechanism") ?? "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Checks every setting that is a secret by its name or kind. */
function weakSecrets(config: Settings): string[] {
  const weak = Object.entries(config).flatMap(([name, value]) => {
    const secrets = secretsIn(name, value);
    return secrets.every(looksRandom) ? [] : [`${name} must be at least 32 random bytes`];
  });
  const issued = issuedSecrets.flatMap((name) => {
    const text = textOf(config, name);
    return text === undefined || looksIssued(text)
      ? []
      : [`${name} must be a secret of production that the provider has issued: 12 characters or more, and no example`];
  });
  return [...weak, ...issued, ...sharedKeys(config)];
}

/** Secrets whose form the other party decides. */
const issuedSecrets = ["RAIL_API_KEY_FILE", "LINKER_SECRET_FILE", "KYC_API_KEY_FILE", "SCREENING_API_KEY_FILE"];

/** Finds keys with two uses: such a key is compromised for both at once, and cannot be replaced for one. */
function sharedKeys(config: Settings): string[] {
  const owners = new Map<string, string>();
  return Object.entries(config).flatMap(([name, value]) => {
    const keys = [value].flat().flatMap((one: unknown) => (Buffer.isBuffer(one) ? one.toString("hex") : []));
    const others = keys.flatMap((key) => owners.get(key) ?? []);
    for (const key of keys) owners.set(key, name);
    return [...new Set(others)].map((other) => `${name} must not have a key of ${other}`);
  });
}

function secretsIn(name: string, value: unknown): (string | Buffer)[] {
  if (Buffer.isBuffer(value)) return [value];
  if (Array.isArray(value)) return value.filter((one) => Buffer.isBuffer(one));
  if (name === "NATS_PASSWORD_FILE" && typeof value === "string") return [contentOf(value)];
  if (name === "OPERATOR_TOKENS_FILE") return operatorsIn(value).map(({ token }) => String(token));
  if (name.endsWith("_SECRETS_FILE") && value instanceof Map) return [...value.values()].map(String);
  return name.endsWith("_CALLBACK_SECRET_FILE") && typeof value === "string" ? [value] : [];
}

/** The file is read again at each connection, so the settings have its path. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd();
  } catch {
    return "";
  }
}

/** The lines of the file of operators. */
function operatorsIn(file: unknown): { token?: unknown; until?: unknown; roles?: unknown }[] {
  const tokens: unknown = Reflect.get(Object(file) as object, "tokens");
  return tokens instanceof Map ? ([...tokens.values()] as ReturnType<typeof operatorsIn>) : [];
}

function weakDoors(config: Settings): string[] {
  // Browsers do not present certificates of their own.
  const isOfBrowsers = config["GATEWAY_DOORS"] instanceof Set && !config["GATEWAY_DOORS"].has("public");
  const authority = isOfBrowsers ? [] : ["GATEWAY_CLIENT_CA_FILE"];
  const needed = ["GATEWAY_TLS_CERT_FILE", "GATEWAY_TLS_KEY_FILE", ...authority];
  const operators = operatorsIn(config["OPERATOR_TOKENS_FILE"]);
  return [
    ...needed.filter((name) => config[name] === undefined).map((name) => `${name} is required`),
    ...(operators.every(({ until }) => until instanceof Date)
      ? []
      : ["OPERATOR_TOKENS_FILE must give every token an end: until=<instant>"]),
    ...(config["OPERATOR_FOUR_EYES"] === "on" ? weakApprovers(operators) : []),
  ];
}

/**
 * Checks that enough operators have tokens. Tokens are for times when logging in is impossible, so every command that tokens may give
 * needs two of them. Only the identity provider knows who may log in, including people who have not done so yet, so without any token
 * this check is left to it.
 */
function weakApprovers(operators: readonly { until?: unknown; roles?: unknown }[]): string[] {
  const live = operators.filter(({ until }) => !(until instanceof Date) || until > systemClock.now());
  if (operators.length > 0 && live.length < 2) {
    const words = "must name two operators or more whose tokens have not ended, or none where all log in";
    return [`OPERATOR_TOKENS_FILE ${words}, since OPERATOR_FOUR_EYES is on`];
  }
  const roles = live.flatMap((one) => (one.roles instanceof Set ? [...one.roles].map(String) : []));
  const alone = [...new Set(roles)].filter((role) => roles.filter((one) => one === role).length === 1);
  return alone.map(
    (role) => `OPERATOR_TOKENS_FILE must give the role ${role} to two operators, since OPERATOR_FOUR_EYES is on`,
  );
}
