import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { groupGuard } from "./group-guard";

export interface ProcessSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  logFile: string;
  /** Signal that makes the program exit with 0; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** The process's own output once it listens: an answering port may belong to another process. */
  saysReady?: RegExp;
  /** Resolves to true once the process serves. Called repeatedly after the process has said so. */
  isReady(): Promise<boolean>;
}

/** A child process that can be killed and restarted under the same name, address and data. */
export interface ManagedProcess {
  readonly name: string;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Id of the running process, undefined while it is down. */
  pid(): number | undefined;
  start(): Promise<void>;
  /** Sends a signal and waits for the exit; returns the exit code, or null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  onUnexpectedExit(listener: (code: number | null) => void): void;
}

const readyTimeoutMs = 120_000;
const readyPollMs = 15;

/** Running children. */
const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) endGroup(child);
});

/** Ends a child with its descendants: it leads a process group. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

/**
 * Describes a child process; `start` runs it. Its output goes to the log file. It leads its own session and group: Ctrl-C or a
 * closed terminal reaches only this process, which ends its children in order. No child outlives this process.
 */
export function manageProcess(spec: ProcessSpec): ManagedProcess {
  let child: ChildProcess | undefined;
  let isEnding = false;
  let listener: (code: number | null) => void = () => {};

  const start = async (): Promise<void> => {
    isEnding = false;
    const log = openSync(spec.logFile, "a", 0o600);
    const logStart = fstatSync(log).size;
    const options = { env: { ...spec.env }, detached: true };
    const started = spawn(spec.command, spec.args, { ...options, stdio: ["ignore", log, log] });
    closeSync(log);
    child = started;
    const guarded = started.pid;
    children.add(started);
    if (guarded !== undefined) groupGuard().add(guarded);
    started.once("exit", (code) => {
      children.delete(started);
      if (guarded !== undefined) groupGuard().remove(guarded);
      if (child === started) child = undefined;
      if (!isEnding) listener(code);
    });
    await new Promise<void>((resolve, reject) => {
      started.once("spawn", resolve);
      started.once("error", reject);
    });
    await untilReady(
      spec,
      logStart,
      () => child === started,
      () => endGroup(started),
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

async function untilReady(spec: ProcessSpec, logStart: number, isAlive: () => boolean, end: () => void): Promise<void> {
  const { saysReady } = spec;
  const hasSaidSo = (): boolean => saysReady === undefined || saysReady.test(writtenSince(spec.logFile, logStart));
  const giveUpAt = Date.now() + readyTimeoutMs;
  while (Date.now() < giveUpAt) {
    const isReady = hasSaidSo() && (await spec.isReady());
    if (!isAlive()) throw new Error(`${spec.name} ended while starting:\n${tail(spec.logFile)}`);
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, readyPollMs));
  }
  end();
  throw new Error(`${spec.name} is not ready after ${readyTimeoutMs} ms:\n${tail(spec.logFile)}`);
}

const writtenSince = (file: string, start: number): string => readFileSync(file).subarray(start).toString("utf8");

const tail = (file: string): string => readFileSync(file, "utf8").split("\n").slice(-12).join("\n");
