import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readGatewayConfig } from "../../gateway/config";
import { readSandboxConfig } from "../../sandbox/config";
import { readAuthConfig } from "../../services/auth/config";
import { readFxConfig } from "../../services/fx/config";
import { readIdentityConfig } from "../../services/identity/config";
import { readPaymentConfig } from "../../services/payment/config";
import { readSchemaConfig } from "../../services/schema/config";
import { readWalletConfig } from "../../services/wallet/config";
import { readWebhookConfig } from "../../services/webhook/config";
import { openHelm, valuesFiles } from "./helm";
import { type Container, type Manifest, ofKind, parseManifests, type Workload, workloadsOf } from "./manifest";
import { componentOf } from "./pod-policy";

type Parse = (env: NodeJS.ProcessEnv) => unknown;

/** The parser of each process, by the component that runs it. */
const parsers: Readonly<Record<string, Parse>> = {
  auth: readAuthConfig,
  fx: readFxConfig,
  gateway: readGatewayConfig,
  identity: readIdentityConfig,
  payment: readPaymentConfig,
  sandbox: readSandboxConfig,
  schema: readSchemaConfig,
  wallet: readWalletConfig,
  webhook: readWebhookConfig,
};
/** Read by Node itself. */
const ofNode: ReadonlySet<string> = new Set(["NODE_EXTRA_CA_CERTS"]);

const secretsDir = mkdtempSync(join(tmpdir(), "corridor-settings-"));
const key = randomBytes(32).toString("hex");
writeFileSync(join(secretsDir, "operator-tokens"), `local ${key}\n`);
writeFileSync(join(secretsDir, "any"), key);

afterAll(() => rmSync(secretsDir, { recursive: true }));

/** What an operator would have put into the Secrets. */
const secretText: Readonly<Record<string, string>> = {
  "mongodb-uri": "mongodb://mongodb.example.com/?replicaSet=corridor",
  "nats-url": "tls://nats.example.com:4222",
};
const secretFile = (path: string): string =>
  path.endsWith("/operator-tokens") ? join(secretsDir, "operator-tokens") : join(secretsDir, "any");

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
  component: string;
  workload: Workload;
  release: readonly Manifest[];
}

const started: Started[] = releases.flatMap(({ title, release }) =>
  workloadsOf(release)
    .filter(({ kind }) => kind === "Deployment")
    .map((workload) => ({ title, component: componentOf(workload.labels), workload, release })),
);

describe("the environment of every pod", () => {
  it("is that of a process whose parser is known", () => {
    expect([...new Set(started.map(({ component }) => component))].toSorted()).toEqual(Object.keys(parsers).toSorted());
  });

  it.each(started)("starts $component with the values $title, and holds nothing else", (one) => {
    const [container] = one.workload.pod.containers;
    const environment = environmentOf(container ?? { name: "" }, one.release);
    const parse = parsers[one.component];

    const read = namesRead(parse ?? (() => undefined), environment);

    const unknown = Object.keys(environment).filter((name) => !read.has(name) && !ofNode.has(name));
    expect(unknown).toEqual([]);
  });

  it("is refused when a required setting is missing", () => {
    const [one] = started.filter(({ component }) => component === "payment");
    const environment = environmentOf(one?.workload.pod.containers[0] ?? { name: "" }, one?.release ?? []);

    expect(() => readPaymentConfig({ ...environment, RAIL_BASE_URL: "" })).toThrow("RAIL_BASE_URL is required");
  });
});
