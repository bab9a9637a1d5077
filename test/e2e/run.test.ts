import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Credentials } from "../../local/bootstrap";
import { freePorts } from "../../local/free-port";
import { connectClient, freshId, pushBody, until } from "../support/platform-client";

const program = join(__dirname, "../../dist/local/cli/run.js");
const portNames = [
  "GATEWAY_PORT",
  "GATEWAY_TLS_PORT",
  "SANDBOX_PORT",
  "SANDBOX_TLS_PORT",
  "OPERATOR_PORT",
  "CONSOLE_PORT",
];
/** Once in each run; twenty times in the long one. */
const rounds = Number(process.env["RANDOM_FACTOR"] ?? "1") > 1 ? 20 : 1;

interface Run {
  child: ChildProcess;
  output(): string;
  errors(): string;
  ended: Promise<number | null>;
}

/** Starts it at the head of a process group, as a shell does with a job in a terminal. */
function spawnRun(dir: string, ports: readonly number[]): Run {
  const env = {
    PATH: process.env["PATH"],
    CORRIDOR_DIR: dir,
    DATABASE_PREFIX: basename(dir),
    ...Object.fromEntries(portNames.map((name, at) => [name, String(ports[at])])),
    ...(process.env["MONGODB_URI"] === undefined ? {} : { MONGODB_URI: process.env["MONGODB_URI"] }),
  };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const said = { output: "", errors: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.output += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.errors += chunk.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, output: () => said.output, errors: () => said.errors, ended };
}

const untilServing = (run: Run): Promise<string> =>
  until(
    async () => run.output(),
    (text) => text.includes("Ctrl-C") || run.child.exitCode !== null,
    120_000,
  );

/** Reaches all of the group, as Ctrl-C does. */
const signalGroup = (run: Run, signal: NodeJS.Signals): boolean => process.kill(-(run.child.pid ?? 0), signal);

describe("make run", () => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-run-"));
  const runs: Run[] = [];

  /** Starts it and resolves when it has printed its last line. */
  async function start(ports: readonly number[]): Promise<Credentials> {
    const run = spawnRun(dir, ports);
    runs.push(run);
    expect(await untilServing(run)).toContain("Ctrl-C stops everything");
    return JSON.parse(readFileSync(join(dir, "credentials.json"), "utf8")) as Credentials;
  }

  async function interrupt(signal: NodeJS.Signals = "SIGINT"): Promise<{ code: number | null; said: string[] }> {
    const run = runs.at(-1);
    if (run === undefined) throw new Error("nothing runs");
    signalGroup(run, signal);
    const code = await run.ended;
    const [, last = ""] = run.output().split("Ctrl-C stops everything; data stays.\n");
    return { code, said: [...last.split("\n"), ...run.errors().split("\n")].filter((line) => line !== "") };
  }

  afterAll(async () => {
    for (const run of runs) if (run.child.exitCode === null) run.child.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  });

  it("writes credentials that work, for their owner only, and keeps data over a restart", async () => {
    const ports = await freePorts(6);
    const first = await start(ports);
    const id = freshId();
    const client = connectClient({ credentials: first });
    const paid = await client.pay(pushBody(id, await client.quote()));
    await client.close();
    const firstEnd = await interrupt();
    const second = await start(ports);
    const again = connectClient({ credentials: second });
    const record = await until(
      () => again.payment(id),
      ({ body }) => body["status"] === "CAPTURED",
    );
    await again.close();
    const secondEnd = await interrupt();

    expect(statSync(join(dir, "credentials.json")).mode & 0o777).toBe(0o600);
    expect(first).toMatchObject({
      baseUrl: `http://127.0.0.1:${ports[0]}`,
      sandboxUrl: `http://127.0.0.1:${ports[2]}`,
      sinkUrl: `https://127.0.0.1:${ports[3]}/sink`,
      consoleUrl: `http://127.0.0.1:${ports[5]}`,
      tenants: [
        { tenant: "demo", agents: [{ status: "ACTIVE" }, { status: "PENDING_APPROVAL" }] },
        { tenant: "other", agents: [{ status: "ACTIVE" }] },
      ],
    });
    expect(second.tenants).toEqual(first.tenants);
    expect(paid.status).toBe(200);
    expect(record.body["status"]).toBe("CAPTURED");
    expect([firstEnd.code, secondEnd.code]).toEqual([0, 0]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "stops in order on %s to its whole group, and says so in one line",
    async (signal) => {
      for (let round = 0; round < rounds; round += 1) {
        await start(await freePorts(6));

        expect(await interrupt(signal)).toEqual({ code: 0, said: ["Stopped; data stays."] });
      }
    },
  );

  it("stops in order when its terminal is gone and nobody reads what it says", async () => {
    const ports = await freePorts(6);
    await start(ports);
    const run = runs.at(-1);
    run?.child.stdout?.destroy();
    run?.child.stderr?.destroy();

    expect((await interrupt("SIGHUP")).code).toBe(0);
    expect(readFileSync(join(dir, "logs", "identity.log"), "utf8")).toContain('"message":"stopping"');
  });

  it("stops when it is told to while it starts", async () => {
    const run = spawnRun(dir, await freePorts(6));
    runs.push(run);
    await until(
      async () => run.output(),
      (text) => text.includes("store:") || run.child.exitCode !== null,
    );
    signalGroup(run, "SIGINT");

    expect(await run.ended).toBe(0);
    expect(run.output()).toContain("Stopped while starting.");
  });

  it("names all ports that it cannot have at once, before it starts anything", async () => {
    const ports = await freePorts(6);
    const holders = await Promise.all([ports[0], ports[4]].map((port) => listenOn(port ?? 0)));
    const empty = join(dir, "empty");

    const run = spawnRun(empty, [...ports.slice(0, 3), ports[2] ?? 0, ports[4] ?? 0]);
    const code = await run.ended;
    for (const holder of holders) holder.close();

    expect(code).toBe(1);
    expect(run.output()).toBe("");
    expect(run.errors().trim().split("\n")).toHaveLength(1);
    expect(run.errors()).toContain(`${ports[0]} (GATEWAY_PORT, taken)`);
    expect(run.errors()).toContain(`${ports[2]} (SANDBOX_TLS_PORT, wanted twice)`);
    expect(run.errors()).toContain(`${ports[4]} (OPERATOR_PORT, taken)`);
    expect(existsSync(empty)).toBe(false);
  });
});

async function listenOn(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}
