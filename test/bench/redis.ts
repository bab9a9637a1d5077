import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { canInstall, installWithApt } from "../../local/apt";
import { findProgram } from "../../local/find-program";
import { freePorts } from "../../local/free-port";

export interface RunningRedis {
  port: number;
  stop(): Promise<void>;
}

const program = "redis-server";
const startTimeoutMs = 20_000;
const find = (): string | undefined => findProgram(program, process.env["PATH"] ?? "");

/**
 * Starts a redis-server of the bench's own on loopback, which writes each command to its log and syncs that every second.
 * It is installed where apt can. Undefined when there is none.
 */
export async function startRedis(): Promise<RunningRedis | undefined> {
  if (find() === undefined && canInstall()) await installWithApt(program).catch(() => {});
  const command = find();
  if (command === undefined) return undefined;
  const dir = mkdtempSync(join(tmpdir(), "corridor-redis-"));
  const [port = 0] = await freePorts(1);
  const settings = { port, bind: "127.0.0.1", dir, appendonly: "yes", save: "", maxmemory: 0 };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(command, args, { stdio: "ignore", env: {} });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await answers(port);
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      process.off("exit", kill);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Ends when the server answers. */
async function answers(port: number): Promise<void> {
  const redis = new Redis({ host: "127.0.0.1", port, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on("error", () => {});
  const tooLate = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error("redis-server does not answer")), startTimeoutMs).unref();
  });
  await Promise.race([redis.ping(), tooLate]).finally(() => redis.disconnect());
}
