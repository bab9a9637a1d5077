import { errorFields, type Logger } from "./logger";

/** A running part. Stopping drains it: accepted work is finished and no new work is taken. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Runs one process: starts it, waits for SIGTERM or SIGINT, stops it and exits with 0. A start that fails exits with 1,
 * and so does a stop that takes longer than the grace time. A signal during the start ends it at once, as no work was
 * taken yet; it is handled from the beginning because process 1 of a container ignores signals that it does not handle.
 */
export async function runProcess(logger: Logger, start: () => Promise<Running>, graceMs = 25_000): Promise<void> {
  let running: Running | undefined;
  const stop = async (signal: string): Promise<void> => {
    logger.info({ signal }, "stopping");
    setTimeout(() => {
      logger.error({ graceMs }, "stop took too long");
      process.exit(1);
    }, graceMs).unref();
    await running?.stop();
    process.exit(0);
  };
  const stopFor = (signal: string): void => {
    stop(signal).catch((error: unknown) => {
      logger.error(errorFields(error), "stop failed");
      process.exit(1);
    });
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopFor(signal));
  running = await start().catch((error: unknown) => {
    logger.error(errorFields(error), "start failed");
    process.exit(1);
  });
}

/** Stops several things, the last started first, each even if another one fails; then throws the first failure. */
export function stopAll(parts: readonly Running[]): Running {
  return {
    async stop() {
      const failures: unknown[] = [];
      for (const part of parts.toReversed()) {
        await part.stop().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
