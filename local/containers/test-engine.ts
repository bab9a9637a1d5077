import { hostname } from "node:os";
import { skip, type Totals } from "../mongo-suites";
import { type Engine, NoEngineError, openEngine } from "./engine";

/** Finds or starts an engine for tests on this machine: tests share the loopback address and a folder with their containers. */
async function openTestEngine(): Promise<Engine> {
  const engine = await openEngine();
  const name = await engine.docker(["info", "--format", "{{.Name}}"]);
  if (name !== hostname()) throw new NoEngineError(`the engine that answers is on ${name}, not on this machine`, false);
  console.log(`engine: ${engine.why}`);
  return engine;
}

/**
 * Runs `work` with an engine and ends the engine. Without one, reports and counts a skip, except in continuous integration on a
 * machine that could have had one.
 */
export async function withTestEngine(
  what: string,
  work: (engine: Engine) => Promise<Totals>,
  without: () => Promise<Totals>,
): Promise<Totals> {
  let engine: Engine;
  try {
    engine = await openTestEngine();
  } catch (error) {
    if (!(error instanceof NoEngineError)) throw error;
    if (process.env["CI"] && error.isOurs) throw error;
    skip(what, error.message, 0);
    return await without();
  }
  const stop = (): void => void engine.stop().then(() => process.exit(1));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  try {
    return await work(engine);
  } finally {
    await engine.stop();
  }
}

/** Disables the library's cleaner image, which would have to be pulled; tests, or the end of an engine, remove containers. */
export const testcontainersEnv = ({ env }: Pick<Engine, "env">): Record<string, string> => ({
  ...env,
  TESTCONTAINERS_RYUK_DISABLED: "true",
  TESTCONTAINERS_HOST_OVERRIDE: "127.0.0.1",
});
