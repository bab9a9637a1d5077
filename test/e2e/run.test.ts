import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Credentials } from "../../local/bootstrap";
import { freePorts } from "../../local/free-port";
import { connectClient, freshId, pushBody, until } from "../support/platform-client";

const program = join(__dirname, "../../dist/local/cli/run.js");

describe("make run", () => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-run-"));
  let running: ChildProcess | undefined;

  /** Starts it and resolves when it has printed its last line. */
  async function start(ports: readonly number[]): Promise<Credentials> {
    const [gateway, gatewayTls, sandbox, sandboxTls] = ports.map(String);
    const env = {
      PATH: process.env["PATH"],
      CORRIDOR_DIR: dir,
      GATEWAY_PORT: gateway,
      GATEWAY_TLS_PORT: gatewayTls,
      SANDBOX_PORT: sandbox,
      SANDBOX_TLS_PORT: sandboxTls,
      ...(process.env["MONGODB_URI"] === undefined ? {} : { MONGODB_URI: process.env["MONGODB_URI"] }),
    };
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
    running = child;
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    const printed = await until(
      async () => output,
      (text) => text.includes("Ctrl-C") || child.exitCode !== null,
      120_000,
    );
    expect(printed).toContain("Ctrl-C stops everything");
    return JSON.parse(readFileSync(join(dir, "credentials.json"), "utf8")) as Credentials;
  }

  async function interrupt(): Promise<number | null> {
    const child = running;
    if (child === undefined) return null;
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    return await ended;
  }

  afterAll(async () => {
    if (running?.exitCode === null) running.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  });

  it("writes credentials that work, for their owner only, and keeps data over a restart", async () => {
    const ports = await freePorts(4);
    const first = await start(ports);
    const id = freshId();
    const client = connectClient({ credentials: first });
    const paid = await client.pay(pushBody(id, await client.quote()));
    await client.close();
    const firstCode = await interrupt();
    const second = await start(ports);
    const again = connectClient({ credentials: second });
    const record = await until(
      () => again.payment(id),
      ({ body }) => body["status"] === "CAPTURED",
    );
    await again.close();
    const secondCode = await interrupt();

    expect(statSync(join(dir, "credentials.json")).mode & 0o777).toBe(0o600);
    expect(first).toMatchObject({
      baseUrl: `http://127.0.0.1:${ports[0]}`,
      sandboxUrl: `http://127.0.0.1:${ports[2]}`,
      sinkUrl: `https://127.0.0.1:${ports[3]}/sink`,
      tenants: [
        { tenant: "demo", agents: [{ status: "ACTIVE" }, { status: "PENDING_APPROVAL" }] },
        { tenant: "other", agents: [{ status: "ACTIVE" }] },
      ],
    });
    expect(second.tenants).toEqual(first.tenants);
    expect(paid.status).toBe(200);
    expect(record.body["status"]).toBe("CAPTURED");
    expect([firstCode, secondCode]).toEqual([0, 0]);
  });
});
