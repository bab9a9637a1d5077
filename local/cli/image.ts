import { openEngine } from "../containers/engine";
import { buildImage } from "../containers/images";

/** `make image`: builds the image of all services. */
async function main(): Promise<void> {
  const engine = await openEngine();
  console.log(`engine: ${engine.why}`);
  try {
    const tag = await buildImage(engine, (text) => console.log(text));
    const bytes = await engine.docker(["image", "inspect", "--format", "{{.Size}}", tag]);
    console.log(`${tag}: ${Math.round(Number.parseInt(bytes, 10) / 1_000_000)} MB`);
  } finally {
    await engine.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
