import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { Schemas } from "../ports";

/** Schemas that every payment is checked against. */
const general: readonly string[] = ["push", "customer", "pull"];

/**
 * Compiles every present schema before a payment needs it: first those of all payments, then country by country with pauses, so that
 * payments do not wait; that takes about a minute. A schema that fails is compiled by the first payment that needs it.
 */
export function warmSchemas(schemas: Pick<Schemas, "check" | "names">, logger: Logger, pauseMs = 500): Running {
  const stopping = new AbortController();
  const warm = async (): Promise<void> => {
    await Promise.all(general.map((name) => schemas.check(name, {})));
    for (const name of await schemas.names()) {
      await sleep(pauseMs, undefined, { signal: stopping.signal });
      await schemas.check(name, {});
    }
  };
  const ended = warm().catch((error: unknown) => {
    if (!stopping.signal.aborted) logger.warn(errorFields(error), "schemas are not warm yet");
  });
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
