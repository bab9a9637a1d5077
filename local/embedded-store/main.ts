import { parseArgs } from "node:util";
import { startEmbeddedStore } from "./start";

/** `--data DIR --port N [--failpoints] [--refuse-scans]`; one line on stdout says when it listens. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      port: { type: "string", default: "0" },
      failpoints: { type: "boolean", default: false },
      "refuse-scans": { type: "boolean", default: false },
    },
  });
  const port = Number(values.port);
  if (values.data === undefined || !Number.isInteger(port))
    throw new Error("usage: main --data DIR --port N [--failpoints] [--refuse-scans]");
  const store = await startEmbeddedStore({
    dir: values.data,
    port,
    failpoints: values.failpoints,
    failOnScan: values["refuse-scans"],
  });
  process.stdout.write(`${JSON.stringify({ ready: true, uri: store.uri })}\n`);
  const stop = () => {
    void store.stop().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
