import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compileCache, compiled } from "../../local/compiled";
import { type Platform, startPlatform } from "../../local/platform";
import { connectClient } from "../support/platform-client";
import { startChild } from "./child";
import { format, type Goal } from "./goal";
import { librariesOf } from "./libraries";
import { interleave, median, pairRatio } from "./statistics";
import { type ServerName, type Subject, serverNames } from "./subject";

const platformStarts = 3;
const rounds = 5;

interface Started {
  readyMs: number;
  servedMs: number;
}

/** From the first spawn to all processes ready, and to the first request that is served. The data folder is not new. */
export async function measurePlatformStart(): Promise<Goal[]> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-bench-"));
  const starts: Started[] = [];
  for (let round = 0; round <= platformStarts; round += 1) {
    const { platform, ...started } = await startAndServe(dir);
    if (round > 0) starts.push(started);
    await platform.stop();
  }
  rmSync(dir, { recursive: true, force: true });
  const goal = (id: string, what: string, read: (started: Started) => number): Goal => {
    const seen = `of ${starts.map((started) => format(read(started))).join(", ")}`;
    return { id, what, value: median(starts.map(read)), unit: "ms", isDue: false, seen };
  };
  return [
    { ...goal("P14", "all processes ready", ({ readyMs }) => readyMs), bar: { atMost: 4_000 }, isDue: true },
    goal("", "start to first served request", ({ servedMs }) => servedMs),
  ];
}

async function startAndServe(dir: string): Promise<Started & { platform: Platform }> {
  const startedAt = performance.now();
  const platform = await startPlatform({ dir, ports: { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls: 0 } });
  const readyMs = performance.now() - startedAt;
  const client = connectClient(platform);
  const { status } = await client.send("GET", "/schema/BRA", { authorization: `Bearer ${await client.token()}` });
  const servedMs = performance.now() - startedAt;
  await client.close();
  if (status !== 200) throw new Error(`the first request was answered ${status}`);
  return { platform, readyMs, servedMs };
}

const mainOf = (name: ServerName): string => compiled(name === "gateway" ? "gateway/main" : `services/${name}/main`);

/** Cold start of each process, its store and bus up, against a bare one that loads the same libraries and nothing else. */
export async function measureColdStart(subject: Subject): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const name of serverNames) {
    const env = subject.envOfAnother(name);
    const libraries = librariesOf(mainOf(name));
    const bareCode = `${libraries.map((library) => `require(${JSON.stringify(library)})`).join(";")};console.log("ready")`;
    const { own, bare } = await interleave(
      {
        own: () => startOwn(name, env),
        bare: async () => {
          const child = await startChild({
            args: ["-e", bareCode],
            env: { NODE_COMPILE_CACHE: compileCache },
            ready: /^ready$/m,
          });
          await child.stop();
          return child.readyMs;
        },
      },
      rounds,
    );
    goals.push({
      id: "P14",
      what: `cold start of ${name} / bare process, same libraries`,
      value: pairRatio(own, bare, (ms) => ms),
      unit: "x",
      bar: { atMost: 1.6 },
      isDue: true,
      seen: `${format(median(own))} against ${format(median(bare))} ms`,
    });
  }
  return goals;
}

/** Starts one more replica beside the running one, ends it again, and returns how long it took until it served, ms. */
async function startOwn(name: ServerName, env: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now();
  const child = await startChild({
    args: [mainOf(name)],
    env,
    ready: /"port":(\d+)[^\n]*"message":"serving (?:gRPC|HTTP)"/,
  });
  if (name === "gateway") await untilReady(`http://127.0.0.1:${child.captured}/readyz`);
  const readyMs = performance.now() - startedAt;
  await child.stop();
  return readyMs;
}

async function untilReady(url: string): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  const isReady = async (): Promise<boolean> => {
    const { missing } = (await (await fetch(url)).json()) as { missing?: readonly string[] };
    return missing?.length === 0;
  };
  while (!(await isReady())) {
    if (performance.now() > giveUpAt) throw new Error(`${url} is not ready`);
    await sleep(5);
  }
}
