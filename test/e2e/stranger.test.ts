import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Credentials } from "../../local/bootstrap";
import { findProgram } from "../../local/find-program";
import { freePorts } from "../../local/free-port";
import { until } from "../support/platform-client";
import { runShell } from "../support/run-documents";
import { blocksOf } from "../support/sdk-package";

const root = resolve(__dirname, "../..");
const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
const lacking = ["bash", "curl", "git", "make", "npm"].filter((name) => findProgram(name, path) === undefined);
const isClone = lacking.length === 0 && isRepository();
if (!isClone)
  process.stderr.write(`no ${lacking.join(", ") || "repository"} here: the path of a stranger is not walked\n`);

/** What a clone holds that was made now: what is committed, and what is changed here and could be. */
function clone(home: string): void {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  execFileSync("git", ["clone", "--quiet", root, home]);
  const changed = git("ls-files", "-z", "--modified", "--others", "--exclude-standard").split("\0");
  const gone = new Set(git("ls-files", "-z", "--deleted").split("\0"));
  for (const name of changed.filter((one) => one !== "" && !gone.has(one))) cpSync(join(root, name), join(home, name));
  for (const name of gone) if (name !== "") rmSync(join(home, name));
  // The packages of the lock file are those that are here; `make -o` keeps them as they are.
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
}

function isRepository(): boolean {
  try {
    return execFileSync("git", ["rev-parse", "--show-toplevel"], { cwd: root, encoding: "utf8" }).trim() === root;
  } catch {
    return false;
  }
}

/** Writes the programs that the README shows into the files that they name. */
function writePrograms(home: string): void {
  for (const block of blocksOf("README.md", "js")) {
    const [, name = ""] = /^\/\/ ([\w./-]+)\n/.exec(block) ?? [];
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), block);
  }
}

(isClone ? describe : describe.skip)("a stranger who has the README alone", () => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-stranger-"));
  const home = join(dir, "corridor");
  let platform: ChildProcess | undefined;
  let said = "";

  /** `make run` as it is typed, on ports that are free here. */
  async function run(): Promise<Credentials> {
    const names = ["GATEWAY_PORT", "GATEWAY_TLS_PORT", "SANDBOX_PORT", "SANDBOX_TLS_PORT", "OPERATOR_PORT"];
    const ports = await freePorts(names.length);
    const env = {
      PATH: path,
      HOME: dir,
      DATABASE_PREFIX: `stranger-${process.pid}`,
      ...Object.fromEntries(names.map((name, at) => [name, String(ports[at])])),
      ...(process.env["MONGODB_URI"] === undefined ? {} : { MONGODB_URI: process.env["MONGODB_URI"] }),
    };
    const child = spawn("make", ["-o", "node_modules/.installed", "run"], { cwd: home, env, detached: true });
    platform = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
      });
    await until(
      async () => said,
      (text) => text.includes("Ctrl-C") || child.exitCode !== null,
      240_000,
    );
    expect(said).toContain("Ctrl-C stops everything");
    return JSON.parse(readFileSync(join(home, ".local/credentials.json"), "utf8")) as Credentials;
  }

  afterAll(async () => {
    if (platform?.exitCode === null && platform.pid !== undefined) {
      const ended = new Promise((end) => platform?.once("close", end));
      process.kill(-platform.pid, "SIGINT");
      await ended;
    }
    rmSync(dir, { recursive: true, force: true });
  });

  it("clones, runs, pays by command line, client and curl, verifies a webhook, and finds why a payment failed; all of it twice", async () => {
    clone(home);
    const { baseUrl } = await run();
    writePrograms(home);
    const [port = 0] = await freePorts(1);
    const receiver = join(home, "shop/receive.mjs");
    writeFileSync(receiver, readFileSync(receiver, "utf8").replace("listen(3000", `listen(${port}`));
    const script = blocksOf("README.md", "bash")
      .join("\n")
      .replace("http://127.0.0.1:8080", baseUrl)
      .replace("http://127.0.0.1:3000", `http://127.0.0.1:${port}`);
    const alias = 'corridor() { npm run --silent corridor -- "$@"; }';
    const env = { HOME: dir, CORRIDOR_CONFIG_DIR: join(dir, "config") };

    for (const time of ["first", "second"]) {
      const { stdout, stderr } = await runShell(`${alias}\n${script}`, env, home);
      expect([time, stdout]).toEqual([
        time,
        expect.stringMatching(
          /status +CAPTURED[\s\S]*the client: order-\S+ CAPTURED[\s\S]*HTTP\/1\.1 200 OK[\s\S]*"externalId":"order-[\s\S]*verified: \S+ Created\n[\s\S]*verified: \S+ ProcessingPayout\n[\s\S]*status +DECLINED[\s\S]*exit code 5/,
        ),
      ]);
      const [, guide = "", code = ""] = /what to do: (\S+), (\w+)/.exec(stderr) ?? [];
      const page = readFileSync(join(home, guide), "utf8");
      expect([code, page]).toEqual(["AC03", expect.stringMatching(/\| `AC03` \| ISO 20022 \| recipient \| .*unknown/)]);
      const shown = await (await fetch(`${baseUrl}/docs/guides/reason-codes`)).text();
      expect(shown).toContain("<code>AC03</code>");
    }
  }, 420_000);
});
