import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { call, callbackSecret, eventually, freshDir, order, railKey, railOf, startPlatform } from "./outside-world";

const main = join(__dirname, "../../../dist/sandbox/main.js");

interface Spawned {
  url: string;
  child: ChildProcess;
}

/** Starts the compiled process as the supervisor does, and reads from its log where it listens. */
async function spawnWorld(dataDir: string, callbackUrl: string): Promise<Spawned> {
  if (!existsSync(main)) throw new Error("build first: this test runs the compiled sandbox");
  const child = spawn(process.execPath, [main], {
    env: {
      SANDBOX_PORT: "0",
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_RAIL_KEY: railKey,
      SANDBOX_CALLBACK_URL: callbackUrl,
      SANDBOX_CALLBACK_SECRET: callbackSecret,
      SANDBOX_SETTLE_AFTER_MS: "60000",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    if (url !== undefined) return { url, child };
  }
  throw new Error("the sandbox did not start");
}

const ended = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> =>
  new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });

describe("a killed sandbox", () => {
  it("loses nothing that it answered, pays what is due and calls back", async () => {
    const dataDir = freshDir();
    const platform = await startPlatform();
    const references = Array.from({ length: 20 }, (_, index) => `killed-${index}`);
    const first = await spawnWorld(dataDir, platform.root);
    await Promise.all(references.map((reference) => railOf(first.url).prepare(order(reference))));
    const released = await Promise.all(references.map((reference) => railOf(first.url).release(reference)));
    await call("POST", `${first.url}/sink/mine`, { kept: true });
    await ended(first.child, "SIGKILL");

    const second = await spawnWorld(dataDir, platform.root);
    await call("POST", `${second.url}/clock`, { advance: 60 });
    await eventually(() => platform.received.length === references.length);
    const entries = await Promise.all(references.map((reference) => railOf(second.url).entry(reference)));
    const { body: sink } = await call("GET", `${second.url}/sink/mine`);
    const exitCode = await ended(second.child, "SIGTERM");
    await platform.stop();

    expect(new Set(released.map(({ status }) => status))).toEqual(new Set([202]));
    expect(entries.map((entry) => [entry?.status, entry?.releases])).toEqual(references.map(() => ["PAID", 1]));
    expect(sink["items"]).toMatchObject([{ body: '{"kept":true}' }]);
    expect(exitCode).toBe(0);
  });
});
