import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { type Engine, NoEngineError, openEngine } from "../containers/engine";
import { buildImages, type Images } from "../containers/images";

/**
 * `make test-containers`: builds the images and runs the container tests with jest; its arguments are jest's. Without an engine
 * they are skipped loudly, unless this is continuous integration on a machine that could have had one.
 */
async function main(): Promise<number> {
  let engine: Engine;
  try {
    engine = await openOwnEngine();
  } catch (error) {
    if (!(error instanceof NoEngineError)) throw error;
    if (process.env["CI"] && error.isOurs) throw error;
    console.error(`\nSKIPPED: the container tests, because ${error.message}\n`);
    return await runJest({});
  }
  const stop = (): void => void engine.stop().then(() => process.exit(1));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  try {
    console.log(`engine: ${engine.why}`);
    const startMs = performance.now();
    const images = await buildImages(engine, (text) => console.log(text));
    console.log(`images: built in ${Math.round((performance.now() - startMs) / 1_000)} s`);
    return await runJest(environmentOf(engine, images));
  } finally {
    await engine.stop();
  }
}

/** The tests share the loopback address and a folder with their containers, so the engine has to be on this machine. */
async function openOwnEngine(): Promise<Engine> {
  const engine = await openEngine();
  const name = await engine.docker(["info", "--format", "{{.Name}}"]);
  if (name !== hostname()) throw new NoEngineError(`the engine that answers is on ${name}, not on this machine`, false);
  return engine;
}

/** The library's own cleaner would have to be pulled; containers are removed by the tests, and by an engine's end. */
const environmentOf = ({ env }: Engine, { corridor, bus }: Images): Record<string, string> => ({
  ...env,
  TESTCONTAINERS_RYUK_DISABLED: "true",
  TESTCONTAINERS_HOST_OVERRIDE: "127.0.0.1",
  CORRIDOR_IMAGE: corridor,
  CORRIDOR_BUS_IMAGE: bus,
});

async function runJest(env: Readonly<Record<string, string>>): Promise<number> {
  const args = ["--selectProjects", "containers", ...process.argv.slice(2)];
  const jest = spawn("jest", args, { stdio: "inherit", env: { ...process.env, ...env } });
  const [code] = (await once(jest, "exit")) as [number | null];
  return code ?? 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);
