import { readFile } from "node:fs/promises";
import { type Clock, monotonicMs } from "../shared/clock";
import { DomainError } from "../shared/errors";
import type { Running } from "../shared/lifecycle";
import { errorFields, type Logger } from "../shared/logger";
import { repeat } from "../shared/repeat";
import { parseRateTable, type RateTable } from "./domain/rate-table";
import type { RateSource, ReadRates } from "./ports";

export interface LiveRates {
  /** Answers a table in the form of the packaged one. */
  url: string;
  refreshMs: number;
  /** Nothing is quoted without an answer for this long, nor by a table whose day ended longer ago. */
  maxAgeMs: number;
}

/** The day's table of the installed package; its version is its date. */
const packageName = "@fawazahmed0/currency-api";
const packagedTable = require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json");
const timeoutMs = 10_000;
const maxBytes = 1_048_576;
const dayMs = 24 * 60 * 60 * 1_000;

/** The packaged table, which never changes while the process runs, whatever its age. */
export async function packagedRates(clock: Clock): Promise<RateSource> {
  const table = parseRateTable(await readFile(packagedTable, "utf8"));
  const read = { table, source: packageName, readAt: clock.now() };
  return { current: () => read };
}

/**
 * Rates that are fetched again and again. The first fetch is awaited: a service without rates that it may quote by does not
 * start.
 */
export async function liveRates(
  { url, refreshMs, maxAgeMs }: LiveRates,
  clock: Clock,
  logger: Logger,
): Promise<Running & RateSource> {
  const source = new URL(url).host;
  const read = async (): Promise<ReadRates> => ({ table: await fetchTable(url), source, readAt: clock.now() });
  let last = await read();
  let readMs = monotonicMs();
  requireOfToday(last, maxAgeMs);
  const refresh = async (): Promise<void> => {
    last = await read();
    readMs = monotonicMs();
  };
  const refreshing = repeat(refreshMs, refresh, (error) => logger.warn(errorFields(error), "no new exchange rates"));
  return {
    current() {
      if (monotonicMs() - readMs > maxAgeMs) throw outdated();
      requireOfToday({ ...last, readAt: clock.now() }, maxAgeMs);
      return last;
    },
    stop: () => refreshing.stop(),
  };
}

const outdated = (): DomainError => new DomainError("UNAVAILABLE", "exchange rates are out of date");

/** A table is of a day, and counts as that day's until the day is over. */
function requireOfToday({ table, readAt }: Pick<ReadRates, "table" | "readAt">, maxAgeMs: number): void {
  const dayEndMs = Date.parse(`${table.date}T00:00:00Z`) + dayMs;
  const ageMs = readAt.getTime() - dayEndMs;
  if (!(ageMs <= maxAgeMs) || ageMs < -2 * dayMs) throw outdated();
}

async function fetchTable(url: string): Promise<RateTable> {
  const { request } = await import("undici");
  const { statusCode, body } = await request(url, { headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    if (!Buffer.isBuffer(part)) throw new Error("the rate source sent no bytes");
    size += part.length;
    if (size > maxBytes) throw new Error("the rate source sent more than 1 MiB");
    parts.push(part);
  }
  if (statusCode !== 200) throw new Error(`the rate source answered ${statusCode}`);
  return parseRateTable(Buffer.concat(parts).toString("utf8"));
}
