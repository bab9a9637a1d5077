import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type BusUserName, busAccounts, busUserNames } from "../services/shared/bus/bus-users";
import { canInstall, installWithApt } from "./apt";
import { findProgram } from "./find-program";
import { freePorts } from "./free-port";
import { manageProcess } from "./managed-process";

export interface NatsServer {
  command: string;
  /** How it was found, for the banner. */
  why: string;
}

/** A configured server that is not running yet. */
export interface NatsSetup {
  args: string[];
  /** `nats://127.0.0.1:port`, for clients with a password file. */
  address: string;
  /** `nats://user:password@127.0.0.1:port` of the administrator; no service uses it. */
  url: string;
  /** File with the password of a service's user. */
  passwordFile(user: BusUserName): string;
  port: number;
  /** True once this very server, not another at its port, serves and has recovered its streams. */
  isReady(): Promise<boolean>;
}

export interface RunningNats extends Pick<NatsSetup, "address" | "url" | "passwordFile"> {
  port: number;
  pid: number;
  /** Stops the server; its streams stay in the folder. */
  stop(): Promise<void>;
}

const overseer = "corridor";
const howToGetIt = "install nats-server 2.9 or newer, put it on PATH or name it in NATS_SERVER_BIN";

/**
 * Finds nats-server: NATS_SERVER_BIN, else PATH, else installs it as root on a system with apt. Throws with instructions
 * when none of that works.
 */
export async function ensureNatsServer(
  env: NodeJS.ProcessEnv = process.env,
  machine = { find: findProgram, install: installNats },
): Promise<NatsServer> {
  const { find, install } = machine;
  const path = env["PATH"] ?? "";
  const named = env["NATS_SERVER_BIN"];
  if (named) {
    const command = find(named, named.startsWith("/") ? "/" : path);
    if (command === undefined) throw new Error(`NATS_SERVER_BIN does not name a program: ${named}`);
    return { command, why: "named in NATS_SERVER_BIN" };
  }
  const found = find("nats-server", path);
  if (found !== undefined) return { command: found, why: "found on this machine" };
  await install();
  const installed = find("nats-server", path);
  if (installed === undefined) throw new Error(`nats-server is still missing after its installation; ${howToGetIt}`);
  return { command: installed, why: "installed with apt-get" };
}

async function installNats(): Promise<void> {
  if (!canInstall()) throw new Error(`nats-server is missing; ${howToGetIt}`);
  await installWithApt("nats-server").catch((error: unknown) => {
    throw new Error(`apt-get could not install nats-server; ${howToGetIt}`, { cause: error });
  });
}

/** Writes the configuration of a server that keeps its streams in `dir`. Port and passwords stay the same. */
export async function configureNats({ dir, port }: { dir: string; port: number }): Promise<NatsSetup> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const password = await ensurePassword(join(dir, "password"));
  const passwordFile = (user: BusUserName): string => join(dir, `password-${user}`);
  const passwords = new Map<string, string>();
  for (const user of busUserNames) passwords.set(user, await ensurePassword(passwordFile(user)));
  const configFile = join(dir, "nats.conf");
  const name = `corridor-${createHash("sha256").update(password).digest("hex").slice(0, 16)}`;
  // Text is quoted as in JSON. Accounts without a user for anonymous clients refuse them.
  const config = [
    `listen: "127.0.0.1:${port}"`,
    `server_name: "${name}"`,
    `jetstream { store_dir: ${JSON.stringify(join(dir, "streams"))} }`,
    busAccounts((user) => `"${passwords.get(user)}"`, [`{ user: "${overseer}", password: "${password}" }`]),
  ];
  await writeFile(configFile, `${config.join("\n")}\n`, { mode: 0o600 });
  return {
    args: ["--config", configFile],
    address: `nats://127.0.0.1:${port}`,
    url: `nats://${overseer}:${password}@127.0.0.1:${port}`,
    passwordFile,
    port,
    isReady: () => isGreetedBy(name, port),
  };
}

/** The password of a data folder, created on first use and readable by its owner only. */
async function ensurePassword(file: string): Promise<string> {
  const kept = await readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{48}$/.test(kept)) return kept;
  const fresh = randomBytes(24).toString("hex");
  await writeFile(file, fresh, { mode: 0o600 });
  return fresh;
}

/** Starts nats-server with its streams in `dir`, on the given port or a free one; resolves once it serves. */
export async function startNats({ dir, port }: { dir: string; port?: number }): Promise<RunningNats> {
  const { command } = await ensureNatsServer();
  const setup = await configureNats({ dir, port: port ?? (await freePorts(1))[0] ?? 0 });
  const server = manageProcess({
    name: "nats",
    command,
    args: setup.args,
    env: {},
    logFile: join(dir, "nats.log"),
    isReady: setup.isReady,
  });
  await server.start();
  return {
    ...setup,
    pid: server.pid() ?? 0,
    async stop() {
      await server.end("SIGTERM");
    },
  };
}

/** True if the server of that name greets connections at the port. */
async function isGreetedBy(name: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once("error", () => settle(false));
    socket.once("close", () => settle(false));
    socket.once("data", (greeting) => settle(greeting.toString("latin1").includes(`"server_name":"${name}"`)));
  });
}
