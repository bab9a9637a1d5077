import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { Schemas } from "../ports";

/** Schemas that every payment is checked against. */
const general: readonly string[] = ["push", "customer", "pull"];

/** Share of its time that a process works when it has something better to do than to compile ahead. */
const busyShare = 0.25;
/** Pauses in a row after which a busy process compiles one all the same. */
const longestBusy = 8;

/**
 * Compiles every present schema before a payment needs it: first those of all payments, then country by country with pauses, so that
 * payments do not wait. That takes ten seconds in a process that is idle, and over a minute in a busy one. A schema that fails is compiled
 * by the first payment that needs it.
 */
export function warmSchemas(schemas: Pick<Schemas, "check" | "names">, logger: Logger, pauseMs = 70): Running {
  const stopping = new AbortController();
  const warm = async (): Promise<void> => {
    await Promise.all(general.map((name) => schemas.check(name, {})));
    for (const name of await schemas.names()) {
      await pause(pauseMs, stopping.signal);
      await schemas.check(name, {});
    }
  };
  const ended = warm().catch((error: unknown) => {
    if (!stopping.signal.aborted) logger.warn(errorFields(error), "schemas could not be compiled ahead of their use");
  });
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Waits for a pause in which the process had little to do, or for the last of several. Rejects when the signal is given. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  for (let pauses = 0; pauses < longestBusy; pauses += 1) {
    const before = performance.eventLoopUtilization();
    await sleep(ms, undefined, { signal });
    if (performance.eventLoopUtilization(before).utilization < busyShare) return;
  }
}
