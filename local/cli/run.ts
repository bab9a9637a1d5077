import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { startPlatform } from "../platform";

/** `make run`: the whole platform in the foreground, until Ctrl-C. A process that dies is started again. */
const restartAfterMs = 500;

const portFrom = (name: string, fallback: number): number => Number.parseInt(process.env[name] ?? String(fallback), 10);

async function main(): Promise<void> {
  const dir = resolve(process.env["CORRIDOR_DIR"] ?? ".local");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const endpoint = process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const platform = await startPlatform({
    dir,
    ports: {
      gateway: portFrom("GATEWAY_PORT", 8080),
      gatewayTls: portFrom("GATEWAY_TLS_PORT", 8443),
      operator: portFrom("OPERATOR_PORT", 8081),
      sandbox: portFrom("SANDBOX_PORT", 8090),
      sandboxTls: portFrom("SANDBOX_TLS_PORT", 8091),
    },
    ...(endpoint === undefined ? {} : { traceEndpoint: endpoint }),
    say: (text) => console.log(text),
  });
  let isStopping = false;
  for (const one of platform.processes) {
    one.onUnexpectedExit((code) => {
      if (isStopping) return;
      console.error(`${one.name} ended with ${code ?? "a signal"}; it is started again (log: ${one.logFile})`);
      setTimeout(() => void one.start().catch((error: unknown) => console.error(String(error))), restartAfterMs);
    });
  }
  const { baseUrl, operatorUrl, sandboxUrl, sinkUrl } = platform.credentials;
  console.log(`gateway:      ${baseUrl}   (API page: ${baseUrl}/docs)`);
  console.log(`operators:    ${operatorUrl}   (npm run operator -- help)`);
  console.log(`sandbox:      ${sandboxUrl}   (webhook sinks: ${sinkUrl}/<name>)`);
  console.log(`credentials:  ${platform.credentialsFile}`);
  console.log(`logs:         ${join(dir, "logs")}`);
  console.log("Ctrl-C stops everything; data stays.");
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    const untidy = await platform.stop();
    if (untidy.length > 0) console.error(`did not stop cleanly: ${untidy.join(", ")}`);
    process.exit(untidy.length === 0 ? 0 : 1);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
