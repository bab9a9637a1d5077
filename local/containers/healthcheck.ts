import { get } from "node:http";
import { get as getSecurely } from "node:https";
import { connect } from "node:net";

/**
 * The image's health check: exits with 0 if the process of this container serves. Its environment tells which service it is
 * and where it listens. A service listens last of all, so a gRPC port that takes connections is a service that is ready.
 */
const patienceMs = 4_000;
const host = process.env["LISTEN_HOST"] ?? "127.0.0.1";
const own = host === "0.0.0.0" ? "127.0.0.1" : host;

function answers(url: string): Promise<boolean> {
  const ask = url.startsWith("https:") ? getSecurely : get;
  return new Promise((resolve) => {
    // The certificate is of the public name; here it matters only that the process answers.
    ask(url, { rejectUnauthorized: false }, (response) => resolve(response.statusCode === 200)).once("error", () =>
      resolve(false),
    );
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    connect(port, own)
      .once("connect", () => resolve(true))
      .once("error", () => resolve(false));
  });
}

function check({ GRPC_PORT, SANDBOX_DATA_DIR, SANDBOX_PORT, ...env }: NodeJS.ProcessEnv): Promise<boolean> {
  if (GRPC_PORT !== undefined) return accepts(Number.parseInt(GRPC_PORT, 10));
  if (SANDBOX_DATA_DIR !== undefined) return answers(`http://${own}:${SANDBOX_PORT ?? "8090"}/healthz`);
  return env["PROFILE"] === "local"
    ? answers(`http://${own}:${env["GATEWAY_PORT"] ?? "8080"}/readyz`)
    : answers(`https://${own}:${env["OPERATOR_PORT"] ?? "8081"}/readyz`);
}

setTimeout(() => process.exit(1), patienceMs);
void check(process.env).then((isHealthy) => process.exit(isHealthy ? 0 : 1));
