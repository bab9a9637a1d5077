import { randomInt } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from "testcontainers";
import type { Credentials } from "../../local/bootstrap";
import { writeComposeSecrets } from "../../local/containers/compose-secrets";
import type { Images } from "../../local/containers/images";
import { freePorts } from "../../local/free-port";
import { connectClient, type PlatformClient, until } from "../support/platform-client";
import { type ComposeProgram, composePrograms } from "./compose-programs";

/** A container of the set, by the name of its program and, where there are several, its replica: `payment-1`. */
export interface Member {
  name: string;
  container: StartedTestContainer;
}

/**
 * The platform of compose.yaml: profile sandbox, mutual TLS between services, every service and the gateway twice, and a bus of
 * three servers that keep each stream three times. The embedded store stands in for MongoDB; no collector of traces answers.
 */
export interface ContainerSet {
  /** Of the platform as each gateway serves it. */
  credentials: readonly [Credentials, Credentials];
  /** A caller's client of one gateway, which trusts its certificate. */
  connect(gateway: 0 | 1): PlatformClient;
  /** A client of one gateway's operator API. */
  connectOperator(gateway: 0 | 1): PlatformClient;
  members: readonly Member[];
  /** Starts a program of the image that knows the platform's names and finds its authority in `caFile`. */
  runOnce(words: readonly string[], env: Readonly<Record<string, string>>): Promise<{ code: number; said: string }>;
  /** Ends one with SIGKILL. */
  kill(name: string): Promise<void>;
  /** Removes all containers and their data. */
  stop(): Promise<void>;
}

/** Where a program that is run once finds the authority of the gateway's certificate. */
export const caFile = "/etc/corridor/gateway-ca.crt";

/** Runs as Kubernetes runs it: as nobody, without capabilities or new privileges, on a root that cannot be written. */
export class HardenedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    // The library offers a method for each of these but this one.
    this.hostConfig.ReadonlyRootfs = true;
    this.withUser("10001:10001").withDroppedCapabilities("ALL").withSecurityOpt("no-new-privileges");
    this.withNetworkMode("host").withStartupTimeout(180_000);
  }
}

/** So many start at once: a machine of two cores is busy with them. */
const togetherAtMost = 4;
const startAttempts = 3;
const readyPatienceMs = 180_000;
const emptyFolder = "rw,size=512m,uid=10001,gid=10001";
const busServers = 3;
/** What a program says once it serves. */
const readyWords: Readonly<Record<string, RegExp>> = { gateway: /serving HTTP/, sandbox: /sandbox listens/ };

/** Starts everything on the host's network, each container at a loopback address of its own; returns when every gateway is ready. */
export async function startContainers(images: Images): Promise<ContainerSet> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-containers-"));
  const members: Member[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(members.map(({ container }) => container.stop({ timeout: 0 })));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const layout = await layOut(dir);
    for (const stage of stagesOf(layout, images)) await startTogether(stage, members);
    const opened = openSet(layout, images, members);
    await untilComplete(opened);
    return { ...opened, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until each gateway reaches every service behind it. */
async function untilComplete({ connect }: Pick<ContainerSet, "connect">): Promise<void> {
  for (const gateway of [0, 1] as const) {
    const client = connect(gateway);
    const missing = async (): Promise<unknown[] | undefined> => {
      const reply = await client.send("GET", "/readyz", {}).catch(() => undefined);
      return reply?.status === 200 ? (reply.body["missing"] as unknown[]) : undefined;
    };
    await until(missing, (found) => found?.length === 0, readyPatienceMs);
    await client.close();
  }
}

function openSet(layout: Layout, images: Images, members: readonly Member[]): Omit<ContainerSet, "stop"> {
  const { dir, addresses } = layout;
  const tls = { ca: readFileSync(join(dir, "sandbox/gateway-ca.crt"), "utf8"), servername: "localhost" };
  const credentials = [credentialsOf(layout, 0), credentialsOf(layout, 1)] as const;
  const hosts = hostsOf(addresses);
  return {
    credentials,
    members,
    connect: (gateway) => connectClient({ credentials: credentials[gateway] }, "demo", tls),
    connectOperator(gateway) {
      const { operatorUrl, ...others } = credentials[gateway];
      return connectClient({ credentials: { ...others, operatorUrl, baseUrl: operatorUrl } }, "demo", tls);
    },
    kill: (name) => killOne(members, name),
    async runOnce(words, env) {
      const { container: client } = await getContainerRuntimeClient();
      const created = await client.dockerode.createContainer({
        Image: images.corridor,
        Cmd: [...words],
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        HostConfig: {
          NetworkMode: "host",
          ReadonlyRootfs: true,
          CapDrop: ["ALL"],
          ExtraHosts: hosts.map(({ host, ipAddress }) => `${host}:${ipAddress}`),
          Binds: [`${join(dir, "sandbox")}:/etc/corridor:ro`],
        },
      });
      await created.start();
      const { StatusCode: code } = (await created.wait()) as { StatusCode: number };
      const said = (await created.logs({ stdout: true, stderr: true })).toString();
      await created.remove();
      return { code, said };
    },
  };
}

type Described = readonly [name: string, container: GenericContainer];

/** What is started together, after what was before it: store and bus, the outside world, everything else. */
function stagesOf(layout: Layout, images: Images): Described[][] {
  const { dir, addresses, storePort, programs } = layout;
  const storeArgs = ["--data", "/data", "--port", String(storePort), "--transaction-seconds", "5"];
  const store = new HardenedContainer(images.corridor)
    .withCommand(["embedded-store", ...storeArgs])
    .withTmpFs({ "/data": emptyFolder })
    .withWaitStrategy(Wait.forLogMessage(/"ready":true/));
  const buses = addressesOf(addresses, "nats").map((_address, at): Described => {
    const server = new HardenedContainer(images.bus)
      .withCommand(["nats-server", "--config", `/etc/corridor/server-${at + 1}.conf`])
      .withBindMounts([{ source: join(dir, "nats"), target: "/etc/corridor", mode: "ro" }])
      .withTmpFs({ "/data": emptyFolder })
      .withWaitStrategy(Wait.forLogMessage(/Server is ready/));
    return [`bus-${at + 1}`, server];
  });
  const describeReplica = (program: ComposeProgram, at: number): Described => [
    program.name === "sandbox" ? program.name : `${program.name}-${at + 1}`,
    programContainer(program, at, layout, images),
  ];
  const stages: Described[][] = [[["store", store], ...buses]];
  const world = programs.filter(({ name }) => name === "sandbox").map((program) => describeReplica(program, 0));
  const services = programs.filter(({ name }) => name !== "sandbox");
  const replicas = [0, 1].flatMap((at) => services.map((program) => describeReplica(program, at)));
  stages.push(world);
  while (replicas.length > 0) stages.push(replicas.splice(0, togetherAtMost));
  return stages;
}

/** Starts containers at once and adds those that came up; throws when one did not, after all have come to an end. */
async function startTogether(stage: readonly Described[], members: Member[]): Promise<void> {
  const results = await Promise.allSettled(
    stage.map(async ([name, container]) => {
      members.push({ name, container: await startOrTell(name, container) });
    }),
  );
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

async function killOne(members: readonly Member[], name: string): Promise<void> {
  const member = members.find((one) => one.name === name);
  if (member === undefined) throw new Error(`no container ${name}`);
  const { container: client } = await getContainerRuntimeClient();
  await client.getById(member.container.getId()).kill({ signal: "SIGKILL" });
}

/**
 * Starts a container until it serves. One that does not reach the store in time ends, and is started again as a cluster would;
 * the last one that fails does so with what it said.
 */
async function startOrTell(name: string, container: GenericContainer): Promise<StartedTestContainer> {
  let said = "";
  container.withLogConsumer((stream) => {
    stream.on("data", (data) => {
      said = `${said}${String(data)}`.slice(-2_000);
    });
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await container.start();
    } catch (error) {
      if (attempt === startAttempts) throw new Error(`${name} did not start:\n${said}`, { cause: error });
    }
  }
}

/** Loopback addresses of each name of compose.yaml, one for each replica. */
type Addresses = ReadonlyMap<string, readonly string[]>;

interface Layout {
  /** Secrets of all containers, a folder for each. */
  dir: string;
  programs: readonly ComposeProgram[];
  addresses: Addresses;
  storePort: number;
}

/** Gives every replica an address, and writes all secrets and the settings of the bus. */
async function layOut(dir: string): Promise<Layout> {
  await writeComposeSecrets(dir);
  chmodSync(dir, 0o755);
  const programs = composePrograms(dir);
  const network = `127.${randomInt(16, 250)}.${randomInt(1, 250)}`;
  let last = 0;
  const take = (count: number): string[] =>
    Array.from({ length: count }, () => {
      last += 1;
      return `${network}.${last}`;
    });
  const addresses = new Map([["nats", take(busServers)]]);
  for (const { name } of programs) addresses.set(name, take(name === "sandbox" ? 1 : 2));
  // Nobody listens there: what is traced is lost, and that must matter to nobody.
  addresses.set("collector", take(1));
  const [storePort = 0] = await freePorts(1);
  writeBusSettings(join(dir, "nats"), addressesOf(addresses, "nats"));
  return { dir, programs, addresses, storePort };
}

/** One file for each server, which knows the others. */
function writeBusSettings(dir: string, servers: readonly string[]): void {
  mkdirSync(dir, { recursive: true });
  // The users are those of compose.yaml. Debian's older server does not know how often it may sync.
  const common = readFileSync(join(dir, "nats.conf"), "utf8")
    .replace(/^port: .*$/m, "")
    .replace(/^jetstream .*$/m, 'jetstream { store_dir: "/data" }');
  const routes = servers.map((address) => `"nats://${address}:6222"`).join(", ");
  for (const [at, address] of servers.entries()) {
    const own = [
      `server_name: "bus-${at + 1}"`,
      `listen: "${address}:4222"`,
      `cluster { name: "corridor", listen: "${address}:6222", routes: [${routes}] }`,
    ];
    writeFileSync(join(dir, `server-${at + 1}.conf`), `${[...own, common].join("\n")}\n`, { mode: 0o644 });
  }
}

const addressesOf = (addresses: Addresses, name: string): readonly string[] => addresses.get(name) ?? [];

function credentialsOf({ dir, addresses }: Layout, gateway: 0 | 1): Credentials {
  const textOf = (path: string): string => readFileSync(join(dir, path), "utf8");
  const [address = ""] = addressesOf(addresses, "gateway").slice(gateway);
  const [sandbox = ""] = addressesOf(addresses, "sandbox");
  const tokens = textOf("gateway/operator-tokens").trim().split("\n");
  const [operatorToken = "", secondOperatorToken = ""] = tokens.map((line) => line.split(" ")[1] ?? "");
  const { tenants } = JSON.parse(textOf("auth/bootstrap.json")) as Pick<Credentials, "tenants">;
  return {
    baseUrl: `https://${address}:8443`,
    operatorUrl: `https://${address}:8081`,
    consoleUrl: `https://${address}:8082`,
    sandboxUrl: `http://${sandbox}:8090`,
    sinkUrl: "",
    operatorToken,
    secondOperatorToken,
    tenants,
  };
}

/** Every name with each of its addresses; the gateway's certificate has another name too. */
const hostsOf = (addresses: Addresses): { host: string; ipAddress: string }[] =>
  [...addresses].flatMap(([name, own]) =>
    own.flatMap((ipAddress) =>
      (name === "gateway" ? [name, "corridor-gateway"] : [name]).map((host) => ({ host, ipAddress })),
    ),
  );

/** A container with the settings of compose.yaml, but for its own address, the store's, and the copies of each stream. */
function programContainer(
  { name, environment, folders }: ComposeProgram,
  at: number,
  { dir, addresses, storePort }: Layout,
  images: Images,
): GenericContainer {
  const [address = ""] = addressesOf(addresses, name).slice(at);
  const here: Record<string, string> = {
    LISTEN_HOST: address,
    SANDBOX_HOST: address,
    MONGODB_URI: `mongodb://127.0.0.1:${storePort}/?replicaSet=rs0`,
  };
  const own = Object.keys(environment).filter((key) => here[key] !== undefined);
  const more = environment["NATS_URL"] === undefined ? {} : { NATS_STREAM_REPLICAS: String(busServers) };
  const container = new HardenedContainer(images.corridor)
    .withCommand([name])
    .withEnvironment({ ...environment, ...more, ...Object.fromEntries(own.map((key) => [key, here[key] ?? ""])) })
    .withExtraHosts(hostsOf(addresses))
    .withBindMounts([{ source: join(dir, name), target: "/etc/corridor", mode: "ro" }])
    .withWaitStrategy(Wait.forLogMessage(readyWords[name] ?? /serving gRPC/));
  return container.withTmpFs(Object.fromEntries(folders.map((folder) => [folder, emptyFolder])));
}
