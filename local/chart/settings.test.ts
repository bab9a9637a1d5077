import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCertificatesConfig } from "../../cluster/certificates/config";
import { makeSecrets, type Secrets } from "../../cluster/sandbox-secrets/make-secrets";
import { readTestPaymentConfig } from "../../cluster/test-payment/config";
import { readGatewayConfig } from "../../gateway/config";
import { readSandboxConfig } from "../../sandbox/config";
import { rails } from "../../sandbox/rails/rail-facts";
import { readAuthConfig } from "../../services/auth/config";
import { parseBootstrap } from "../../services/auth/domain/bootstrap";
import { readFxConfig } from "../../services/fx/config";
import { readIdentityConfig } from "../../services/identity/config";
import { readPaymentConfig } from "../../services/payment/config";
import { readSchemaConfig } from "../../services/schema/config";
import { type Settings, weaknessesOfConfig } from "../../services/shared/process/production-config";
import { readWalletConfig } from "../../services/wallet/config";
import { readWebhookConfig } from "../../services/webhook/config";
import { openHelm, valuesFiles } from "./helm";
import { type Container, type Manifest, ofKind, parseManifests, type Workload, workloadsOf } from "./manifest";

type Parse = (env: NodeJS.ProcessEnv) => unknown;

/** The parser of each program of the image, by the file that Node starts. */
const parsers: Readonly<Record<string, Parse>> = {
  "dist/cluster/certificates/main.js": readCertificatesConfig,
  "dist/cluster/test-payment/main.js": readTestPaymentConfig,
  "dist/gateway/main.js": readGatewayConfig,
  "dist/sandbox/main.js": readSandboxConfig,
  "dist/services/auth/main.js": readAuthConfig,
  "dist/services/fx/main.js": readFxConfig,
  "dist/services/identity/main.js": readIdentityConfig,
  "dist/services/payment/main.js": readPaymentConfig,
  "dist/services/schema/main.js": readSchemaConfig,
  "dist/services/wallet/main.js": readWalletConfig,
  "dist/services/webhook/main.js": readWebhookConfig,
};
/** Read by Node itself. */
const ofNode: ReadonlySet<string> = new Set(["NODE_EXTRA_CA_CERTS"]);

const secretsDir = mkdtempSync(join(tmpdir(), "corridor-settings-"));
const key = randomBytes(32).toString("hex");
writeFileSync(join(secretsDir, "operator-tokens"), `local ${key}\n`);
writeFileSync(join(secretsDir, "any"), key);
writeFileSync(join(secretsDir, "provider-callback-secrets"), `pix=${key}\n`);
writeFileSync(join(secretsDir, "statement-tokens"), `*=${key}\n`);

afterAll(() => rmSync(secretsDir, { recursive: true }));

/** Values that an operator would put into the Secrets. */
const secretText: Readonly<Record<string, string>> = {
  "mongodb-uri": "mongodb://mongodb.example.com/?replicaSet=corridor",
  "nats-url": "tls://nats.example.com:4222",
  "callback-secrets": JSON.stringify({ pix: key }),
};
const named = ["operator-tokens", "provider-callback-secrets", "statement-tokens"];
const secretFile = (path: string): string => join(secretsDir, named.find((name) => path.endsWith(`/${name}`)) ?? "any");

/** The environment that a container starts with, mounted secrets replaced by files of this machine. */
function environmentOf({ env, envFrom }: Container, release: readonly Manifest[]): Record<string, string> {
  const maps = (envFrom ?? []).map(({ configMapRef }) =>
    ofKind(release, "ConfigMap").find(({ metadata }) => metadata?.name === configMapRef?.name),
  );
  const settings = maps.flatMap((map) => Object.entries(map?.data ?? {}));
  const secrets = (env ?? []).map(({ name, valueFrom }) => {
    const secretKey = valueFrom?.secretKeyRef?.key ?? "";
    return [name, secretText[secretKey] ?? key] as const;
  });
  const mounted = settings.map(
    ([name, value]) => [name, value.startsWith("/etc/corridor/") ? secretFile(value) : value] as const,
  );
  return Object.fromEntries([...mounted, ...secrets]);
}

/** The names that a parser asks its environment for. */
function namesRead(parse: Parse, environment: Record<string, string>): Set<string> {
  const names = new Set<string>();
  const env = new Proxy(environment, {
    get(target, name) {
      if (typeof name !== "string") return undefined;
      names.add(name);
      return target[name];
    },
  });
  parse(env);
  return names;
}

const helm = openHelm();
const releases = valuesFiles().map(({ title, file }) => {
  const answer = helm.template(file);
  if ("refusal" in answer) throw new Error(answer.refusal);
  return { title, release: parseManifests(answer.text) };
});

interface Started {
  title: string;
  name: string;
  program: string;
  container: Container;
  workload: Workload;
  release: readonly Manifest[];
}

/** Every container that runs our image. */
const started: Started[] = releases.flatMap(({ title, release }) =>
  workloadsOf(release).flatMap((workload) =>
    workload.pod.containers
      .filter(({ command }) => command?.[0] === "node")
      .map((container) => {
        const program = container.command?.[1] ?? "";
        return { title, name: `${workload.kind} ${workload.name}`, program, container, workload, release };
      }),
  ),
);

describe("the environment of every pod", () => {
  it("is that of a program whose parser is known", () => {
    expect([...new Set(started.map(({ program }) => program))].toSorted()).toEqual(Object.keys(parsers).toSorted());
  });

  it.each(started)("starts $name with the values $title, and holds nothing else", ({ container, program, release }) => {
    const environment = environmentOf(container, release);
    const parse = parsers[program];

    const read = namesRead(parse ?? (() => undefined), environment);

    const unknown = Object.keys(environment).filter((name) => !read.has(name) && !ofNode.has(name));
    expect(unknown).toEqual([]);
  });

  it("is refused when a required setting is missing", () => {
    const one = started.find(({ name }) => name === "Deployment corridor-payment");
    const environment = environmentOf(one?.container ?? { name: "" }, one?.release ?? []);

    expect(() => readPaymentConfig({ ...environment, RAIL_BASE_URL: "" })).toThrow("RAIL_BASE_URL is required");
  });

  it("reads the statements of every provider of the sandbox, with what it presents there", () => {
    const one = started.find(({ name, title }) => name === "Deployment corridor-wallet" && title === "sandbox");
    const environment = environmentOf(one?.container ?? { name: "" }, one?.release ?? []);

    expect(
      readWalletConfig(environment)
        .WALLET_STATEMENTS?.map(({ provider }) => provider)
        .toSorted(),
    ).toEqual([...Object.keys(rails), "acquirer", "debits"].toSorted());
    expect(() => readWalletConfig({ ...environment, WALLET_STATEMENT_TOKENS_FILE: "" })).toThrow(
      "WALLET_STATEMENT_TOKENS_FILE is required",
    );
  });
});

describe("a production release", () => {
  const certificate = "RPC_TLS_CERT_FILE must be for";
  const services = started.filter(
    ({ title, name, program }) => title === "production" && name.startsWith("Deployment") && !/sandbox/.test(program),
  );
  /** The Secrets as a careful operator fills them: different keys and secrets everywhere, TLS to the store and a password for it. */
  function carefully(container: Container, release: readonly Manifest[], service: string): Record<string, string> {
    const environment = environmentOf(container, release);
    if (environment["MONGODB_URI"] !== undefined)
      environment["MONGODB_URI"] =
        `mongodb://corridor:${randomBytes(16).toString("hex")}@mongodb.example.com/?replicaSet=corridor&tls=true`;
    const until = new Date(Date.now() + 86_400_000).toISOString();
    for (const [name, value] of Object.entries(environment)) {
      if (!value.startsWith(secretsDir)) continue;
      const fresh = (): string => randomBytes(32).toString("hex");
      const path = join(secretsDir, `${service}-${name}`);
      const text =
        name === "OPERATOR_TOKENS_FILE" ? ["one", "two"].map((one) => `${one} ${fresh()} until=${until}`) : [];
      const kept = named.some((one) => value.endsWith(`/${one}`)) && text.length === 0;
      writeFileSync(path, kept ? readFileSync(value) : text.length > 0 ? text.join("\n") : fresh());
      environment[name] = path;
    }
    return environment;
  }

  it("has every service", () => {
    expect(new Set(services.map(({ program }) => program)).size).toBe(8);
  });

  it.each(services)("sets nothing that is too weak for production: $name", ({ container, program, release, name }) => {
    const service = program.split("/").at(-2) ?? "";
    const config = parsers[program]?.(carefully(container, release, name.split("-").at(-1) ?? "")) as Settings;

    // The certificate is made by a Job of the release.
    expect(weaknessesOfConfig(service, config).filter((one) => !one.startsWith(certificate))).toEqual([]);
    // The chart's own settings matter: without one of them the same check finds the release weak.
    expect(weaknessesOfConfig(service, { ...config, RPC_TLS_CA_FILE: undefined })).toContain(
      "RPC_TLS_CA_FILE is required",
    );
  });
});

/** Returns every Secret that pods use, with its keys, except those that a Job of the release makes. */
function secretsAsked(release: readonly Manifest[]): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>();
  const ask = (name: string, keys: readonly string[]): void => {
    if (!name.endsWith("-rpc-tls")) asked.set(name, new Set([...(asked.get(name) ?? []), ...keys]));
  };
  for (const { pod } of workloadsOf(release)) {
    for (const { secret } of pod.volumes ?? []) {
      if (secret?.secretName !== undefined)
        ask(
          secret.secretName,
          (secret.items ?? []).map(({ key }) => key),
        );
    }
    for (const { valueFrom } of pod.containers.flatMap(({ env }) => env ?? [])) {
      const { name = "", key = "" } = valueFrom?.secretKeyRef ?? {};
      ask(name, [key]);
    }
  }
  return asked;
}

describe("the Secrets that are made for a laptop", () => {
  let secrets: Secrets;
  const release = releases.find(({ title }) => title === "laptop")?.release ?? [];

  beforeAll(async () => {
    secrets = await makeSecrets({
      prefix: "corridor",
      publicHost: "corridor.localhost",
      mongodbUri: "mongodb://corridor-mongodb:27017/?replicaSet=corridor",
      natsUrl: "nats://corridor-nats:4222",
    });
  });

  it("are those that its pods ask for, key by key", () => {
    const asked = [...secretsAsked(release)].map(([name, keys]) => [name, [...keys].toSorted()]);
    // The test mounts its whole Secret.
    const made = Object.entries(secrets).map(([name, data]) => [
      name,
      name === "corridor-test" ? [] : Object.keys(data).toSorted(),
    ]);

    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(asked));
  });

  it("name a tenant that auth takes, whose client the test is", () => {
    const [tenant] = parseBootstrap(secrets["corridor-auth"]?.["bootstrap.json"] ?? "", "sandbox");

    expect(tenant?.clientSecret).toBe(secrets["corridor-test"]?.["client-secret"]);
    expect(tenant?.clientId).toBe(secrets["corridor-test"]?.["client-id"]);
  });

  it("let each process of its own kind start", () => {
    for (const { container, program, workload } of started.filter(({ title }) => title === "laptop")) {
      const environment = environmentOf(container, release);
      const mounted = workload.pod.volumes?.find(({ name }) => name === "secrets")?.secret?.secretName ?? "";
      for (const [name, value] of Object.entries(environment)) {
        const text = secrets[mounted]?.[keyOf(container, release, name)];
        if (text === undefined) continue;
        const path = join(secretsDir, `${workload.name}-${name}`);
        writeFileSync(path, text);
        environment[name] = value.startsWith(secretsDir) ? path : text;
      }

      expect(() => parsers[program]?.(environment)).not.toThrow();
    }
  });
});

/** The key of a Secret that a variable's file or text comes from. */
function keyOf({ env, envFrom }: Container, release: readonly Manifest[], name: string): string {
  const referred = (env ?? []).find((one) => one.name === name)?.valueFrom?.secretKeyRef?.key;
  const map = ofKind(release, "ConfigMap").find(({ metadata }) => metadata?.name === envFrom?.[0]?.configMapRef?.name);
  return referred ?? map?.data?.[name]?.replace("/etc/corridor/secrets/", "") ?? "";
}
