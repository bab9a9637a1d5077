import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { refuseTakenPorts } from "../free-port";
import { type Platform, startPlatform } from "../platform";

/** `make run`: the whole platform in the foreground, until Ctrl-C. A process that dies is started again. */
const restartAfterMs = 500;

/** Documented ports, by the setting that changes each. */
const knownPorts = {
  GATEWAY_PORT: 8080,
  GATEWAY_TLS_PORT: 8443,
  OPERATOR_PORT: 8081,
  CONSOLE_PORT: 8082,
  SANDBOX_PORT: 8090,
  SANDBOX_TLS_PORT: 8091,
};

function readPorts(): typeof knownPorts {
  const entries = Object.entries(knownPorts).map(([name, fallback]) => {
    const set = process.env[name];
    return [name, set === undefined || set === "" ? fallback : Number(set)];
  });
  return Object.fromEntries(entries) as typeof knownPorts;
}

/** Signals that end it: Ctrl-C, a supervisor, and a closed terminal. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let platform: Platform | undefined;
let isStopping = false;

/** Stops the services, then store and bus. While the platform is still starting, nothing has been accepted and nothing waits. */
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const untidy = (await platform?.stop()) ?? [];
  if (untidy.length > 0) console.error(`did not stop cleanly: ${untidy.join(", ")}`);
  else console.log(platform === undefined ? "Stopped while starting." : "Stopped; data stays.");
  process.exit(untidy.length === 0 ? 0 : 1);
}

function restartWhatDies({ processes }: Platform): void {
  for (const one of processes) {
    one.onUnexpectedExit((code) => {
      if (isStopping) return;
      console.error(`${one.name} ended with ${code ?? "a signal"}; it is started again (log: ${one.logFile})`);
      setTimeout(() => {
        if (isStopping) return;
        one.start().catch((error: unknown) => isStopping || console.error(String(error)));
      }, restartAfterMs);
    });
  }
}

async function main(): Promise<void> {
  const ports = readPorts();
  await refuseTakenPorts(ports);
  for (const signal of signals) process.on(signal, () => void stop());
  // A closed terminal loses output; it must not interrupt the orderly shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const dir = resolve(process.env["CORRIDOR_DIR"] ?? ".local");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const endpoint = process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const started = await startPlatform({
    dir,
    ports: {
      gateway: ports.GATEWAY_PORT,
      gatewayTls: ports.GATEWAY_TLS_PORT,
      operator: ports.OPERATOR_PORT,
      console: ports.CONSOLE_PORT,
      sandbox: ports.SANDBOX_PORT,
      sandboxTls: ports.SANDBOX_TLS_PORT,
    },
    databasePrefix: process.env["DATABASE_PREFIX"] || "corridor",
    fourEyes: process.env["OPERATOR_FOUR_EYES"] === "on",
    ...(endpoint === undefined ? {} : { traceEndpoint: endpoint }),
    say: (text) => console.log(text),
  });
  platform = started;
  restartWhatDies(started);
  const { baseUrl, operatorUrl, consoleUrl, sandboxUrl, sinkUrl } = started.credentials;
  console.log(`gateway:      ${baseUrl}   (API page: ${baseUrl}/docs)`);
  console.log(`console:      ${consoleUrl}   (log in by a click)`);
  console.log(`operators:    ${operatorUrl}   (npm run operator -- help)`);
  console.log(`sandbox:      ${sandboxUrl}   (webhook sinks: ${sinkUrl}/<name>)`);
  console.log(`credentials:  ${started.credentialsFile}`);
  console.log(`logs:         ${join(dir, "logs")}`);
  console.log("Ctrl-C stops everything; data stays.");
}

main().catch((error: unknown) => {
  if (isStopping) return;
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
