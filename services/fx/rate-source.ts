import { readFile } from "node:fs/promises";
import { monotonicMs } from "../shared/clock";
import { DomainError } from "../shared/errors";
import type { Running } from "../shared/lifecycle";
import { errorFields, type Logger } from "../shared/logger";
import { repeat } from "../shared/repeat";
import { parseRateTable, type RateTable } from "./domain/rate-table";
import type { RateSource } from "./ports";

export interface LiveRates {
  /** Answers a table in the form of the packaged one. */
  url: string;
  refreshMs: number;
  /** Without a newer answer for this long, nothing is quoted. */
  maxAgeMs: number;
}

/** The day's table of the installed package; its version is its date. */
const packagedTable = require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json");
const timeoutMs = 10_000;
const maxBytes = 1_048_576;

/** The packaged table, which never changes while the process runs. */
export async function packagedRates(): Promise<RateSource> {
  const table = parseRateTable(await readFile(packagedTable, "utf8"));
  return { current: () => table };
}

/** Rates that are fetched again and again. The first fetch is awaited: a service without rates does not start. */
export async function liveRates(
  { url, refreshMs, maxAgeMs }: LiveRates,
  logger: Logger,
): Promise<Running & RateSource> {
  let table = await fetchTable(url);
  let fetchedMs = monotonicMs();
  const refresh = async (): Promise<void> => {
    table = await fetchTable(url);
    fetchedMs = monotonicMs();
  };
  const refreshing = repeat(refreshMs, refresh, (error) => logger.warn(errorFields(error), "no new exchange rates"));
  return {
    current() {
      if (monotonicMs() - fetchedMs > maxAgeMs) throw new DomainError("UNAVAILABLE", "exchange rates are out of date");
      return table;
    },
    stop: () => refreshing.stop(),
  };
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
