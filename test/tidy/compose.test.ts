import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { readGatewayConfig } from "../../gateway/config";
import { writeComposeSecrets } from "../../local/containers/compose-secrets";
import { readSandboxConfig } from "../../sandbox/config";
import { readAuthConfig } from "../../services/auth/config";
import { readFxConfig } from "../../services/fx/config";
import { readIdentityConfig } from "../../services/identity/config";
import { readPaymentConfig } from "../../services/payment/config";
import { readSchemaConfig } from "../../services/schema/config";
import { readWalletConfig } from "../../services/wallet/config";
import { readWebhookConfig } from "../../services/webhook/config";
import { filesIn, textOf } from "./tree";

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, unknown>;
  env_file?: { path: string }[];
  depends_on?: Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
}

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

/** Reads the settings of each program out of an environment. */
const readers: Readonly<Record<string, (env: NodeJS.ProcessEnv) => unknown>> = {
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

const { version } = JSON.parse(textOf("package.json")) as { version: string };
const { services, volumes } = parse(textOf("compose.yaml"), { merge: true }) as Compose;
const programs = Object.entries(services).filter(([, { image }]) => image.startsWith("corridor:"));

describe("compose.yaml", () => {
  const parent = mkdtempSync(join(tmpdir(), "corridor-compose-"));
  const dir = join(parent, "secrets");
  beforeAll(() => writeComposeSecrets(dir));
  afterAll(() => rmSync(parent, { recursive: true }));

  /** What a container finds in its environment, with the files that it is given where this machine has them. */
  function environmentOf(name: string, { environment = {}, env_file: files = [] }: ComposeService): NodeJS.ProcessEnv {
    const here = (text: string): string => text.replace("/etc/corridor/", `${join(dir, name)}/`);
    const fromFiles = files
      .map(({ path }) => readFileSync(path.replace("./.local/compose", dir), "utf8").trim().split("\n"))
      .flatMap((lines) => lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const fixed = Object.entries(environment).map(([key, value]) => [key, here(String(value))]);
    return Object.fromEntries([...fromFiles, ...fixed]) as NodeJS.ProcessEnv;
  }

  it("starts every service, the gateway and the simulated world, from this version's image", () => {
    const mains = filesIn("services", "gateway", "sandbox").filter((path) => path.endsWith("/main.ts"));
    const names = mains.map((path) => path.split("/").at(-2) ?? "");

    expect(programs.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    expect(Object.keys(readers).toSorted()).toEqual(names.toSorted());
    expect(
      programs.filter(([name, { image, command }]) => image !== `corridor:${version}` || command?.join() !== name),
    ).toEqual([]);
  });

  it.each(programs)("gives %s settings that it takes, and none that it does not know", (name, service) => {
    const asked = new Set<string>();
    const environment = environmentOf(name, service);
    const watched = new Proxy(environment, {
      get: (env, key) => {
        asked.add(String(key));
        return env[String(key)];
      },
    });
    const known = (key: string): boolean => asked.has(key) || key === "NODE_EXTRA_CA_CERTS";

    expect(() => readers[name]?.(watched)).not.toThrow();
    expect(Object.keys(environment).filter((key) => !known(key))).toEqual([]);
  });

  it("names in targets and addresses only services that it has, by their ports", () => {
    const hosts = programs.flatMap(([name, service]) =>
      Object.entries(environmentOf(name, service)).flatMap(([key, value = ""]) =>
        /^(dns|http|nats|mongodb):\/\//.test(value)
          ? [{ key, host: /^\w+:\/\/\/?([a-z-]+)/.exec(value)?.[1] ?? value }]
          : [],
      ),
    );

    expect(hosts.length).toBeGreaterThan(20);
    expect(hosts.filter(({ host }) => services[host] === undefined)).toEqual([]);
    expect(hosts.filter(({ key, host }) => key.endsWith("_TARGET") && key !== `${host.toUpperCase()}_TARGET`)).toEqual(
      [],
    );
  });

  it("pins every image, the chart's where it has the same, and lets nobody write or gain rights", () => {
    const loose = Object.values(services).filter(({ image }) => !/^[\w./-]+:\d+\.\d+\.\d+(-alpine)?$/.test(image));
    const chart = textOf("charts/corridor/values.yaml");
    const open = Object.entries(services).filter(
      ([, { read_only: isReadOnly, cap_drop: dropped, security_opt: options }]) =>
        isReadOnly !== true || dropped?.join() !== "ALL" || options?.join() !== "no-new-privileges:true",
    );
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);

    expect(loose).toEqual([]);
    expect(open.map(([name]) => name)).toEqual([]);
    expect(programs.filter(([, { user }]) => user !== "10001:10001")).toEqual([]);
    expect(published.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    for (const name of ["mongodb", "nats"]) {
      expect(chart).toContain(`image: ${services[name]?.image.replace("-alpine", "")}\n`);
    }
  });

  it("mounts folders and volumes that exist, and waits for services that exist", () => {
    const sources = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
      mounts.map((one) => one.split(":")[0] ?? ""),
    );
    const isThere = (source: string): boolean =>
      source.startsWith("./.local/compose/")
        ? existsSync(source.replace("./.local/compose", dir))
        : source.startsWith("./")
          ? existsSync(source)
          : source in volumes;
    const awaited = Object.values(services).flatMap(({ depends_on: names = {} }) => Object.keys(names));

    expect(sources.filter((source) => !isThere(source))).toEqual([]);
    expect(awaited.filter((name) => services[name] === undefined)).toEqual([]);
  });

  it("is what docker compose accepts, where there is one", () => {
    const compose = (...args: string[]) => spawnSync("docker", ["compose", ...args], { encoding: "utf8" });
    const isHere = compose("version").status === 0;

    expect(isHere ? compose("config", "--quiet").stderr : "").toBe("");
  });

  it("keeps its secrets in a folder that only its owner enters", () => {
    expect(statSync(dir).mode & 0o077).toBe(0);
  });
});
