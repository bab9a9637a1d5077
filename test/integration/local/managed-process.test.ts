import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiled } from "../../../local/compiled";
import { refuseTakenPorts } from "../../../local/free-port";
import { type ManagedProcess, manageProcess } from "../../../local/managed-process";
import { eventually } from "../bus/bus-testbed";

const script = (text: string, facts: { saysReady?: RegExp } = {}): ManagedProcess =>
  manageProcess({
    name: "script",
    command: "/bin/sh",
    args: ["-c", text],
    env: { PATH: process.env["PATH"] ?? "" },
    logFile: join(mkdtempSync(join(tmpdir(), "corridor-script-")), "log"),
    isReady: async () => true,
    ...facts,
  });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("a managed process", () => {
  it("is not ready by what another one answers: it has to say so itself", async () => {
    const late = script("sleep 0.3; echo cannot listen; exit 1", { saysReady: /listens/ });
    const fit = script("echo it listens; exec sleep 60", { saysReady: /listens/ });

    await expect(late.start()).rejects.toThrow(/ended while starting:\ncannot listen/);
    await fit.start();
    await fit.end("SIGTERM");
  });

  it("is not ready by what it said before it was started again", async () => {
    const logFile = join(mkdtempSync(join(tmpdir(), "corridor-twice-")), "log");
    const marked = manageProcess({
      name: "script",
      command: "/bin/sh",
      args: ["-c", '[ -e "$1" ] && exit 3; touch "$1"; echo it listens; exec sleep 60', "sh", `${logFile}.flag`],
      env: { PATH: process.env["PATH"] ?? "" },
      logFile,
      saysReady: /listens/,
      isReady: async () => true,
    });
    await marked.start();
    await marked.end("SIGTERM");

    await expect(marked.start()).rejects.toThrow("ended while starting");
  });

  it("leads a group of its own, which no signal to this process's group reaches", async () => {
    const one = script("exec sleep 60");
    await one.start();
    const pid = one.pid() ?? 0;

    expect(() => process.kill(-pid, 0)).not.toThrow();
    await one.end("SIGTERM");
  });

  it("does not outlive the process that started it, even one that is killed", async () => {
    const module = JSON.stringify(compiled("local/managed-process"));
    const log = JSON.stringify(join(mkdtempSync(join(tmpdir(), "corridor-orphan-")), "log"));
    const parent = spawn(process.execPath, [
      "-e",
      `const one = require(${module}).manageProcess({ name: "child", command: "/bin/sh", args: ["-c", "sleep 60 & wait"],
        env: { PATH: process.env.PATH }, logFile: ${log}, isReady: async () => true });
      one.start().then(() => console.log(one.pid()));`,
    ]);
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once("data", (data: Buffer) => resolve(Number(data.toString())));
    });
    expect(isAlive(pid)).toBe(true);

    parent.kill("SIGKILL");

    await eventually(async () => !isAlive(pid));
  });
});

describe("refuseTakenPorts", () => {
  it("names what is no port, and lets any port be asked for", async () => {
    await expect(refuseTakenPorts({ GATEWAY_PORT: 70_000, SANDBOX_PORT: Number.NaN })).rejects.toThrow(
      "ports are unavailable: 70000 (GATEWAY_PORT, no port), NaN (SANDBOX_PORT, no port).",
    );
    await refuseTakenPorts({ GATEWAY_PORT: 0, SANDBOX_PORT: 0 });
  });
});
