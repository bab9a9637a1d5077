import { parseArgs } from "node:util";
import { startEmbeddedStore } from "./start";

/** `--data DIR --port N [--failpoints] [--refuse-scans] [--transaction-seconds N]`; one line on stdout says when it listens. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      port: { type: "string", default: "0" },
      failpoints: { type: "boolean", default: false },
      "refuse-scans": { type: "boolean", default: false },
      "transaction-seconds": { type: "string", default: "60" },
    },
  });
  const port = Number(values.port);
  const transactionSeconds = Number(values["transaction-seconds"]);
  if (values.data === undefined || !Number.isInteger(port) || !(transactionSeconds > 0))
    throw new Error("usage: main --data DIR --port N [--failpoints] [--refuse-scans] [--transaction-seconds N]");
  const store = await startEmbeddedStore({
    dir: values.data,
    port,
    failpoints: values.failpoints,
    failOnScan: values["refuse-scans"],
    transactionSeconds,
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
