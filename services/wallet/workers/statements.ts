import { type Clock, secondsSince } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { gauge, gauges, type Metrics } from "../../shared/process/metrics";
import { repeat } from "../../shared/process/repeat";
import { breakClasses } from "../domain/statement";
import type { ReadStatements } from "../operations/read-statements";
import type { StatementSource } from "../ports";
import type { StatementStore } from "../store/statement-store";

export interface StatementsDeps {
  sources: readonly StatementSource[];
  readStatements: ReadStatements;
  statements: StatementStore;
  everyMs: number;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Reads the statements of all providers periodically, at one replica at a time. */
export function startStatements(deps: StatementsDeps): Running {
  const { sources, readStatements, everyMs, logger } = deps;
  if (sources.length === 0) logger.warn({}, "no provider's statement is configured: nothing is compared");
  const run = async (): Promise<void> => {
    const failed = await readStatements("due");
    for (const { provider, error } of failed === "busy" ? [] : failed) {
      logger.warn({ provider, ...errorFields(error) }, "a statement was not read");
    }
  };
  show(deps);
  return repeat(everyMs, run, (error) => logger.warn(errorFields(error), "the search for breaks failed"));
}

function show({ sources, statements, clock, metrics }: StatementsDeps): void {
  const startedAt = clock.now();
  gauge(metrics, "corridor_statement_sources", "Providers whose statements are read.", () => sources.length);
  gauges(metrics, "corridor_statement_age_seconds", "Time since the end of a statement was seen, or since the start.", {
    labelNames: ["provider"],
    async read() {
      const states = await Promise.all(sources.map(({ provider }) => statements.source(provider)));
      return states.map(({ provider, readAt }) => ({
        labels: { provider },
        value: secondsSince(readAt ?? startedAt, clock.now()),
      }));
    },
  });
  gauges(metrics, "corridor_statement_open_items", "Movements that one of the books lacks so far.", {
    labelNames: ["provider"],
    async read() {
      const counts = await statements.openItems();
      return sources.map(({ provider }) => ({ labels: { provider }, value: counts.get(provider) ?? 0 }));
    },
  });
  gauges(metrics, "corridor_statement_breaks", "Unresolved differences to providers' statements.", {
    labelNames: ["class"],
    async read() {
      const counts = await statements.countUnresolved();
      return breakClasses.map((name) => ({ labels: { class: name }, value: counts.get(name) ?? 0 }));
    },
  });
}
