import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from "testcontainers";
import { bootstrap, type Credentials } from "../../local/bootstrap";
import { compiled } from "../../local/compiled";
import type { Images } from "../../local/containers/images";
import { freePorts } from "../../local/free-port";
import { configureNats } from "../../local/nats";
import { byService, type PlatformPlan, type Program, programsOf } from "../../local/platform";
import { until } from "../support/platform-client";

/** A container of the set, by the name of its program and, where there are two, its replica: `payment-1`. */
export interface Member {
  name: string;
  container: StartedTestContainer;
}

/** The whole platform as containers: store, bus and outside world once, every service and the gateway twice. */
export interface ContainerSet {
  /** Of the platform as each gateway serves it. */
  credentials: readonly [Credentials, Credentials];
  /** Where the ledger's replicas listen. */
  walletPorts: readonly number[];
  members: readonly Member[];
  /** Ends one with SIGKILL. */
  kill(name: string): Promise<void>;
  /** Removes all containers and their data. */
  stop(): Promise<void>;
}

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
const emptyFolder = "rw,size=512m";
/** What a program says once it serves. */
const readyWords: Readonly<Record<string, RegExp>> = { gateway: /serving HTTP/, sandbox: /sandbox listens/ };

/** Starts everything on the host's network and on free ports of the loopback address; returns when every gateway is ready. */
export async function startContainers(images: Images): Promise<ContainerSet> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-containers-"));
  const members: Member[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(members.map(({ container }) => container.stop({ timeout: 0 })));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const layout = await layOut(dir);
    const [first, second] = layout.plans;
    for (const stage of stagesOf(layout, images, dir)) await startTogether(stage, members);
    const gateways = [...programsOf(first, 0), ...programsOf(second, 1)].filter(({ name }) => name === "gateway");
    await Promise.all(gateways.map(({ isReady }) => until(isReady, (is) => is, readyPatienceMs)));
    return {
      credentials: [credentialsOf(first), credentialsOf(second)],
      walletPorts: first.rpcPorts.wallet,
      members,
      kill: (name) => killOne(members, name),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Described = readonly [name: string, container: GenericContainer];

/** What is started together, after what was before it: store and bus, the outside world, everything else. */
function stagesOf({ plans, storeArgs, busArgs }: Layout, images: Images, dir: string): Described[][] {
  const [first, second] = plans;
  const store = new HardenedContainer(images.corridor).withCommand(["embedded-store", ...storeArgs]);
  const bus = new HardenedContainer(images.bus).withCommand(["nats-server", ...busArgs]);
  const testbed: Described[] = [
    ["store", mount(store, dir, ["store"]).withWaitStrategy(Wait.forLogMessage(/"ready":true/))],
    ["bus", mount(bus, dir, ["nats/streams"]).withWaitStrategy(Wait.forLogMessage(/Server is ready/))],
  ];
  const describeProgram = (program: Program, name: string): Described => [name, programContainer(program, images, dir)];
  const [world, ...firsts] = programsOf(first, 0);
  const [, ...seconds] = programsOf(second, 1);
  const replicas = [firsts, seconds].flatMap((programs, at) =>
    programs.map((program) => describeProgram(program, `${program.name}-${at + 1}`)),
  );
  const stages = [testbed, world === undefined ? [] : [describeProgram(world, world.name)]];
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

interface Layout {
  plans: readonly [PlatformPlan, PlatformPlan];
  storeArgs: string[];
  busArgs: string[];
}

/** Ports and secrets of two replicas of everything that has replicas. */
async function layOut(dir: string): Promise<Layout> {
  const ports = await freePorts(48);
  const take = (): number => ports.pop() ?? 0;
  const [storePort, busPort, sandbox, sandboxTls] = [take(), take(), take(), take()];
  const busFolder = join(dir, "nats");
  const bus = await configureNats({ dir: busFolder, port: busPort });
  const gateways = [gatewayPorts(take), gatewayPorts(take)] as const;
  const [front] = gateways;
  const secrets = await bootstrap(dir, {
    baseUrl: `http://127.0.0.1:${front.gateway}`,
    operatorUrl: `http://127.0.0.1:${front.operator}`,
    consoleUrl: `http://127.0.0.1:${front.console}`,
    sandboxUrl: `http://127.0.0.1:${sandbox}`,
    sinkUrl: `https://127.0.0.1:${sandboxTls}/sink`,
  });
  const common = {
    dir,
    secrets,
    mongoUri: `mongodb://127.0.0.1:${storePort}/?replicaSet=rs0`,
    bus: {
      envOf: (user: Parameters<typeof bus.passwordFile>[0]) => ({
        NATS_URL: bus.address,
        NATS_PASSWORD_FILE: bus.passwordFile(user),
      }),
    },
    rpcPorts: byService(() => [take(), take()]),
  };
  const planOf = (gateway: ReturnType<typeof gatewayPorts>): PlatformPlan => ({
    ...common,
    ports: { ...gateway, sandbox, sandboxTls },
    metricsPorts: { ...byService(take), gateway: take() },
  });
  openToReaders(dir);
  const storeArgs = ["--data", join(dir, "store"), "--port", String(storePort), "--transaction-seconds", "5"];
  return { plans: [planOf(gateways[0]), planOf(gateways[1])], storeArgs, busArgs: bus.args };
}

const gatewayPorts = (take: () => number) => ({
  gateway: take(),
  gatewayTls: take(),
  operator: take(),
  console: take(),
});

const credentialsOf = ({ secrets, ports }: PlatformPlan): Credentials => ({
  ...secrets.credentials,
  baseUrl: `http://127.0.0.1:${ports.gateway}`,
  operatorUrl: `http://127.0.0.1:${ports.operator}`,
  consoleUrl: `http://127.0.0.1:${ports.console}`,
});

function programContainer({ name, env }: Program, images: Images, dir: string): GenericContainer {
  return mount(new HardenedContainer(images.corridor), dir, name === "sandbox" ? ["sandbox"] : [])
    .withCommand([name])
    .withEnvironment(inImage(env))
    .withWaitStrategy(Wait.forLogMessage(readyWords[name] ?? /serving gRPC/));
}

/** Gives a container the folder of secrets, at its own path and read-only, with empty folders of its own to write to. */
function mount(container: GenericContainer, dir: string, own: readonly string[]): GenericContainer {
  for (const folder of own) {
    mkdirSync(join(dir, folder), { recursive: true });
    // What is mounted over a folder has the folder's mode, whatever its own options say.
    chmodSync(join(dir, folder), 0o1777);
  }
  return container
    .withBindMounts([{ source: dir, target: dir, mode: "ro" }])
    .withTmpFs(Object.fromEntries(own.map((folder) => [join(dir, folder), emptyFolder])));
}

/** Settings that name compiled files here name those of the image. */
function inImage(env: Readonly<Record<string, string>>): Record<string, string> {
  const root = dirname(compiled("main"));
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replace(root, "/app/dist")]));
}

/** Lets user 10001 read what is its owner's alone; the folder is a test's, and its secrets end with it. */
function openToReaders(dir: string): void {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
