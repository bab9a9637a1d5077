import { service as healthService } from "grpc-health-check";
import { type Clock, plusMs } from "../services/shared/kernel/clock";
import { type Running, stopAll } from "../services/shared/process/lifecycle";
import type { RpcTls } from "../services/shared/process/rpc-certificates";
import { noTracing } from "../services/shared/process/tracing";
import { makeUnaryClient } from "../services/shared/rpc/rpc-client";

/** Reports the upstreams that do not answer their health check. */
export interface Readiness extends Running {
  /** Names of the missing upstreams. A good result is cached for a second, a bad one for a tenth of a second. */
  missing(): Promise<readonly string[]>;
}

const answerWithinMs = 1_000;
const keepMs = 1_000;
/** Short, so that a start does not wait for an old answer. */
const keepMissingMs = 100;

/** Asks every target for its gRPC health (grpc.health.v1). Not traced: probes come every second and their traces are of no use. */
export function makeReadiness(
  targets: Readonly<Record<string, string>>,
  tls: RpcTls | undefined,
  clock: Clock,
): Readiness {
  const probes = Object.entries(targets).map(([name, target]) => ({ name, client: openHealth(target, tls) }));
  let kept: { until: Date; missing: Promise<readonly string[]> } | undefined;

  const ask = async (): Promise<readonly string[]> => {
    const states = await Promise.all(
      probes.map(async ({ name, client }) => ({ name, isServing: await isServing(client) })),
    );
    const missing = states.filter((state) => !state.isServing).map(({ name }) => name);
    if (missing.length > 0 && kept !== undefined) kept = { ...kept, until: plusMs(clock.now(), keepMissingMs) };
    return missing;
  };

  return {
    missing() {
      const now = clock.now();
      if (kept === undefined || kept.until <= now) kept = { until: plusMs(now, keepMs), missing: ask() };
      return kept.missing;
    },
    stop: stopAll(probes.map(({ client }) => client)).stop,
  };
}

interface HealthClient extends Running {
  check(request: object): Promise<object>;
}

function openHealth(target: string, tls: RpcTls | undefined): HealthClient {
  const check = healthService["Check"];
  if (check === undefined || !("requestSerialize" in check)) throw new Error("the health service has no Check");
  return makeUnaryClient({ check }, { target, tls, timeoutMs: answerWithinMs, retryable: [], tracing: noTracing });
}

async function isServing(client: HealthClient): Promise<boolean> {
  try {
    const response = await client.check({ service: "" });
    return "status" in response && response.status === "SERVING";
  } catch {
    return false;
  }
}
