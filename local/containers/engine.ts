import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { canInstall, installWithApt } from "../apt";
import { findProgram } from "../find-program";

/** A container engine that answers, and its command-line client. */
export interface Engine {
  /** How it was found. */
  why: string;
  /** Environment for other clients of this engine. */
  env: Readonly<Record<string, string>>;
  /** Program of a client that can build with BuildKit. */
  client: string;
  /** Runs the client and returns its output; throws with the end of its output when it fails. */
  docker(args: readonly string[], limits?: { timeoutMs?: number }): Promise<string>;
  /** Ends the engine if it was started here. */
  stop(): Promise<void>;
}

/** Thrown when there is no engine. `isOurs` when this machine should be able to have one. */
export class NoEngineError extends Error {
  constructor(
    message: string,
    readonly isOurs: boolean,
  ) {
    super(message);
    this.name = "NoEngineError";
  }
}

/** Data of an engine started here: layers and build caches, kept for the next time. */
const dataDir = resolve(".cache/engine");
const callTimeoutMs = 10 * 60_000;
const startTimeoutMs = 180_000;
/** Time for an engine to stop its containers and itself. */
const endTimeoutMs = 30_000;
const pollMs = 100;

/** Uses the engine that answers, or starts Debian's, which root installs with apt when missing. */
export async function openEngine(): Promise<Engine> {
  const here = await findClient();
  if (here !== undefined && (await answers(here, {}))) {
    return makeEngine({ why: "an engine answers", client: here, env: {}, stop: () => Promise.resolve() });
  }
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    throw new NoEngineError("no engine answers, and only root on Linux can start one", false);
  }
  const mustInstall = here === undefined || findProgram("dockerd", "") === undefined;
  if (mustInstall) {
    if (!canInstall()) throw new NoEngineError("no engine answers, and there is no apt to install one", false);
    await installWithApt("docker.io").catch((error: unknown) => {
      throw new NoEngineError(`apt-get could not install docker.io: ${lastWords(error)}`, true);
    });
  }
  const client = await findClient();
  if (client === undefined) throw new NoEngineError("no docker client here can build with BuildKit", true);
  const daemon = await startDaemon(client);
  return makeEngine({ why: mustInstall ? "installed and started" : "started", client, ...daemon });
}

/** The first docker client that can build with BuildKit: through buildx, or by itself in older versions. */
async function findClient(): Promise<string | undefined> {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin"];
  for (const folder of new Set(folders)) {
    const client = findProgram("docker", folder);
    if (client !== undefined && (await canBuild(client))) return client;
  }
  return undefined;
}

async function canBuild(client: string): Promise<boolean> {
  const says = (...args: string[]): Promise<string> =>
    promisify(execFile)(client, args, { timeout: 60_000 }).then(
      ({ stdout }) => stdout,
      () => "",
    );
  const [, major = "0"] = /version (\d+)\./.exec(await says("--version")) ?? [];
  return ["20", "22"].includes(major) || (await says("buildx", "version")) !== "";
}

async function answers(client: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const options = { timeout: 60_000, env: { ...process.env, ...env } };
  return await promisify(execFile)(client, ["version", "--format", "{{.Server.Version}}"], options).then(
    () => true,
    () => false,
  );
}

function makeEngine({ why, client, env, stop }: Pick<Engine, "why" | "client" | "env" | "stop">): Engine {
  return {
    why,
    client,
    env,
    stop,
    async docker(args, { timeoutMs = callTimeoutMs } = {}) {
      const options = {
        timeout: timeoutMs,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, ...env, DOCKER_BUILDKIT: "1" },
      };
      try {
        return (await promisify(execFile)(client, [...args], options)).stdout.trim();
      } catch (error) {
        throw new Error(`docker ${args.slice(0, 2).join(" ")} failed: ${lastWords(error)}`, { cause: error });
      }
    },
  };
}

/**
 * Starts an engine that shares nothing with the machine's own: separate data and socket, and no bridge, so that the machine's
 * network rules stay untouched. Containers use the network of the host.
 */
async function startDaemon(client: string): Promise<Pick<Engine, "env" | "stop">> {
  const runDir = mkdtempSync(join(tmpdir(), "corridor-engine-"));
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const pidFile = join(dataDir, "docker.pid");
  const logFile = join(dataDir, "dockerd.log");
  await endLeftOver(pidFile);
  const socket = `unix://${join(runDir, "docker.sock")}`;
  const args = ["--host", socket, "--data-root", join(dataDir, "data"), "--exec-root", join(runDir, "exec")];
  args.push("--pidfile", pidFile, "--bridge", "none", "--iptables=false", "--ip6tables=false");
  const output = openSync(logFile, "w", 0o600);
  const daemon = spawn(findProgram("dockerd", "") ?? "dockerd", args, { stdio: ["ignore", output, output] });
  closeSync(output);
  const stop = async (): Promise<void> => {
    await end(daemon);
    await removeRunFolder(runDir);
  };
  const env = { DOCKER_HOST: socket };
  const giveUpAt = Date.now() + startTimeoutMs;
  while (daemon.exitCode === null && daemon.pid !== undefined && Date.now() < giveUpAt) {
    if (await answers(client, env)) return { env, stop };
    await pause();
  }
  await stop();
  const said = readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join("\n");
  throw new NoEngineError(`dockerd does not start here:\n${said}`, false);
}

/** Unmounts what an engine leaves of its containers' host network: a folder with a mount in it cannot be removed. */
async function removeRunFolder(runDir: string): Promise<void> {
  const network = join(runDir, "exec/netns/default");
  if (existsSync(network)) await promisify(execFile)("umount", ["--lazy", network]).catch(() => undefined);
  try {
    rmSync(runDir, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // An empty folder that stays in use fails no test.
  }
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null || daemon.pid === undefined) return;
  const ended = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.kill("SIGTERM");
  const killing = setTimeout(() => daemon.kill("SIGKILL"), endTimeoutMs);
  await ended;
  clearTimeout(killing);
}

/** Ends an engine whose starter was killed: it still holds the data. */
async function endLeftOver(pidFile: string): Promise<void> {
  const command = (pid: string): string => readOr(`/proc/${pid}/cmdline`);
  const pid = readOr(pidFile).trim();
  if (pid === "" || !command(pid).includes(dataDir)) return;
  process.kill(Number.parseInt(pid, 10), "SIGTERM");
  const giveUpAt = Date.now() + startTimeoutMs;
  while (command(pid) !== "" && Date.now() < giveUpAt) await pause();
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, pollMs));

/** The end of a program's output before it failed. */
function lastWords(error: unknown): string {
  const said = Object(error) as { stderr?: string; message?: string };
  return (said.stderr || said.message || String(error)).trim().split("\n").slice(-12).join("\n");
}
