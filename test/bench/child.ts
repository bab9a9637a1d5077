import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";

/** Where the installed packages are found from. */
const projectRoot = resolve(__dirname, "../../..");

export interface Child {
  pid: number;
  /** From spawn to the awaited output. */
  readyMs: number;
  /** What the awaited pattern captured. */
  captured: string;
  /** Ends the child with SIGTERM. */
  stop(): Promise<void>;
}

export interface ChildSpec {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Output that says that the child is ready; its first group is captured. */
  ready: RegExp;
}

const children = new Set<ChildProcess>();
const startTimeoutMs = 20_000;
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a Node process and waits for the output that says that it is ready. Children do not outlive the bench. */
export async function startChild({ args, env = {}, ready }: ChildSpec): Promise<Child> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"], cwd: projectRoot });
  children.add(child);
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  void exited.then(() => children.delete(child));
  const captured = await new Promise<string>((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`${args[0]} is not ready`)), startTimeoutMs);
    let output = "";
    let isReady = false;
    child.stdout.on("data", (chunk: Buffer) => {
      if (isReady) return;
      output += chunk.toString();
      const match = ready.exec(output);
      if (match === null) return;
      isReady = true;
      clearTimeout(timer);
      done(match[1] ?? "");
    });
    child.once("error", fail);
    void exited.then(() => fail(new Error(`${args[0]} ended before it was ready:\n${output.slice(-2_000)}`)));
  });
  const readyMs = performance.now() - startedAt;
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
  };
  return { pid: child.pid ?? 0, readyMs, captured, stop };
}

/** Starts one of the bench's own programs, which print `ready <port>`. */
export const startFloor = (program: string, settings: Readonly<Record<string, string>> = {}): Promise<Child> =>
  startChild({ args: [join(__dirname, `${program}.js`), JSON.stringify(settings)], ready: /^ready (\d+)$/m });
