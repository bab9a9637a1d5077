import type { Engine } from "../containers/engine";
import { buildImages } from "../containers/images";
import { natsImage, pull } from "../containers/official";
import { testcontainersEnv, withTestEngine } from "../containers/test-engine";
import { endWith, runJest, skip, type Totals } from "../mongo-suites";

/**
 * Builds the images and runs the container tests with jest, passing on the arguments. Tests with an unavailable image are skipped, and jest
 * counts them.
 */
const run = (env: Readonly<Record<string, string>>): Promise<Totals> =>
  runJest(["--selectProjects", "containers", ...process.argv.slice(2)], env);

async function buildAndRun(engine: Engine): Promise<Totals> {
  const startMs = performance.now();
  const { corridor, bus } = await buildImages(engine, (text) => console.log(text));
  console.log(`images: built in ${Math.round((performance.now() - startMs) / 1_000)} s`);
  const hasNats = await pull(engine, natsImage);
  if (!hasNats) skip(`the bus on ${natsImage}`, "that image cannot be pulled here", 0);
  return await run({
    ...testcontainersEnv(engine),
    CORRIDOR_IMAGE: corridor,
    CORRIDOR_BUS_IMAGE: bus,
    ...(hasNats ? { OFFICIAL_NATS_IMAGE: natsImage } : {}),
  });
}

withTestEngine("the container tests", buildAndRun, () => run({})).then(endWith, (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
