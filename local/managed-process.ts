import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";

export interface ProcessSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  logFile: string;
  /** What asks the program to end and makes it exit with 0; SIGTERM unless said. */
  stopSignal?: NodeJS.Signals;
  /** Resolves true once the process serves. Asked again and again until it does. */
  isReady(): Promise<boolean>;
}

/** A child process that is started, killed and started again under the same name, address and data. */
export interface ManagedProcess {
  readonly name: string;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Id of the running process, undefined while it is down. */
  pid(): number | undefined;
  start(): Promise<void>;
  /** Sends a signal and waits for the end; returns the exit code, or null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  onUnexpectedExit(listener: (code: number | null) => void): void;
}

const readyTimeoutMs = 120_000;
const readyPollMs = 15;

/** Children that run now. They never outlive this process, however it ends. */
const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Describes a child process; `start` runs it. Output goes to its log file. */
export function manageProcess(spec: ProcessSpec): ManagedProcess {
  let child: ChildProcess | undefined;
  let isEnding = false;
  let listener: (code: number | null) => void = () => {};

  const start = async (): Promise<void> => {
    isEnding = false;
    const log = openSync(spec.logFile, "a", 0o600);
    const started = spawn(spec.command, spec.args, { env: { ...spec.env }, stdio: ["ignore", log, log] });
    closeSync(log);
    child = started;
    children.add(started);
    started.once("exit", (code) => {
      children.delete(started);
      if (child === started) child = undefined;
      if (!isEnding) listener(code);
    });
    await new Promise<void>((resolve, reject) => {
      started.once("spawn", resolve);
      started.once("error", reject);
    });
    await untilReady(
      spec,
      () => child === started,
      () => started.kill("SIGKILL"),
    );
  };
  return {
    name: spec.name,
    logFile: spec.logFile,
    stopSignal: spec.stopSignal ?? "SIGTERM",
    pid: () => child?.pid,
    start,
    async end(signal) {
      const running = child;
      isEnding = true;
      if (running === undefined) return 0;
      const ended = new Promise<number | null>((resolve) => running.once("exit", resolve));
      running.kill(signal);
      return await ended;
    },
    onUnexpectedExit(wanted) {
      listener = wanted;
    },
  };
}

async function untilReady(spec: ProcessSpec, isAlive: () => boolean, end: () => void): Promise<void> {
  const giveUpAt = Date.now() + readyTimeoutMs;
  while (Date.now() < giveUpAt) {
    if (!isAlive()) throw new Error(`${spec.name} ended while starting:\n${tail(spec.logFile)}`);
    if (await spec.isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, readyPollMs));
  }
  end();
  throw new Error(`${spec.name} is not ready after ${readyTimeoutMs} ms:\n${tail(spec.logFile)}`);
}

const tail = (file: string): string => readFileSync(file, "utf8").split("\n").slice(-12).join("\n");
