import { execFile, spawn } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "../../local/free-port";
import { until } from "./platform-client";

/** The documents run on the same Node as the tests. */
const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;

/** Runs a block of a document in a shell that ends at the first failure. */
export const runShell = (
  script: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env: { ...env, PATH: path },
    timeout: 180_000,
  });

/** A receiver of webhooks that a document shows, as a process of its own. */
export interface Receiver {
  readonly url: string;
  send(headers: Readonly<Record<string, string>>, body: string): Promise<number>;
  /** Its output: the id and the content of each event. */
  lines(): [id: string, event: unknown][];
  stop(): Promise<void>;
}

export async function startReceiver(
  file: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Receiver> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}/`;
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  const listening = await until(
    () =>
      fetch(url, { method: "POST" }).then(
        () => true,
        () => child.exitCode !== null,
      ),
    (isThere) => isThere,
  );
  if (!listening || child.exitCode !== null) throw new Error(`${file} does not listen`);
  return {
    url,
    async send(headers, body) {
      const { host: _host, "content-length": _length, connection: _connection, ...kept } = headers;
      return (await fetch(url, { method: "POST", headers: kept, body })).status;
    },
    lines: () =>
      output
        .trimEnd()
        .split("\n")
        .map((line): [string, unknown] => [
          line.slice(0, line.indexOf(" ")),
          JSON.parse(line.slice(line.indexOf(" ") + 1)),
        ]),
    async stop() {
      child.kill();
      await ended;
    },
  };
}
