import { get } from "node:http";

/**
 * The image's health check: exits with 0 if the process of this container is ready. The environment gives the port of its
 * probes: the sandbox's own port, and every other process's metrics port.
 */
const patienceMs = 4_000;
const host = process.env["LISTEN_HOST"] ?? process.env["SANDBOX_HOST"] ?? "127.0.0.1";
const own = host === "0.0.0.0" ? "127.0.0.1" : host;

const urlOf = ({ SANDBOX_DATA_DIR, SANDBOX_PORT, METRICS_PORT }: NodeJS.ProcessEnv): string =>
  SANDBOX_DATA_DIR === undefined
    ? `http://${own}:${METRICS_PORT ?? "9464"}/readyz`
    : `http://${own}:${SANDBOX_PORT ?? "8090"}/healthz`;

setTimeout(() => process.exit(1), patienceMs);
get(urlOf(process.env), (response) => process.exit(response.statusCode === 200 ? 0 : 1)).once("error", () =>
  process.exit(1),
);
