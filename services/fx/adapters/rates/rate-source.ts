import { readFile } from "node:fs/promises";
import { beginningOfTime, type Clock, plusMs } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import type { Decimal } from "../../../shared/kernel/money";
import { errorFields, type Logger } from "../../../shared/process/logger";
import { parseEcbRates } from "../../domain/ecb-rates";
import type { ReferenceRates, SourceAnswer } from "../../domain/market";
import { parseRateTable, type RateTable } from "../../domain/rate-table";
import type { MarketRates, RateLeg } from "../../ports";

/** A provider of exchange rates and its address. */
export interface RateAddress {
  source: string;
  url: string;
}

/** The installed package with a table of one day; its version is that date. */
const packageName = "@fawazahmed0/currency-api";
const packagedTable = require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json");
const timeoutMs = 10_000;
const maxBytes = 1_048_576;
const dayMs = 24 * 60 * 60 * 1_000;
/** How far a source's clock may be ahead of ours. */
const skewMs = 5 * 60_000;

/** Reads the packaged table. It does not change while the process runs, whatever its age, and holds no currency. */
export async function packagedRates(clock: Clock): Promise<MarketRates> {
  const { date, perUsd } = parseRateTable(await readFile(packagedTable, "utf8"));
  const asOf = clock.now();
  const find = (currency: string): RateLeg | undefined => {
    const rate = perUsd(currency);
    return rate && { currency, perUsd: rate, date, asOf, snapshot: undefined, readings: [], source: packageName };
  };
  const require = (currency: string): RateLeg => {
    const leg = find(currency);
    if (leg === undefined) throw new DomainError("NO_ROUTE", "there is no rate for this currency pair");
    return leg;
  };
  return { forPromise: require, forValue: require, forReport: find, isClosed: () => false };
}

/** Asks one source for its rates now. Any failure is returned as the answer's problem. */
export async function askSource(
  { source, url }: RateAddress,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<SourceAnswer> {
  try {
    return { source, table: datedTable(parseRateTable(await fetchText(url)), clock.now()), problem: undefined };
  } catch (error) {
    logger.warn({ ...errorFields(error), source }, "a source of exchange rates gave no usable answer");
    return { source, table: undefined, problem: error instanceof Error ? error.message : "unknown" };
  }
}

/** Reads the reference rates of the day; undefined when they are unavailable. */
export async function askReference(url: string | undefined, logger: Logger): Promise<ReferenceRates | undefined> {
  if (url === undefined) return undefined;
  try {
    return parseEcbRates(await fetchText(url));
  } catch (error) {
    logger.warn(errorFields(error), "the reference rates could not be read");
    return undefined;
  }
}

/** Dates a table. One that carries only its day counts as of now until that day is over. */
function datedTable({ date, at, rates }: RateTable, now: Date): { asOf: Date; perUsd: ReadonlyMap<string, Decimal> } {
  const dayStartMs = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(dayStartMs)) throw new Error("the rate table has no valid date");
  const dayStart = plusMs(beginningOfTime, dayStartMs);
  const earliest = at ?? plusMs(dayStart, -dayMs);
  if (earliest > plusMs(now, skewMs)) throw new Error("the rate table is dated in the future");
  const dayEnd = plusMs(dayStart, dayMs);
  return { asOf: at ?? (dayEnd < now ? dayEnd : now), perUsd: rates };
}

async function fetchText(url: string): Promise<string> {
  const { request } = await import("undici");
  const { statusCode, body } = await request(url, { headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    if (!Buffer.isBuffer(part)) throw new Error("the rate source did not send bytes");
    size += part.length;
    if (size > maxBytes) throw new Error("the rate source sent more than 1 MiB");
    parts.push(part);
  }
  if (statusCode !== 200) throw new Error(`the rate source answered ${statusCode}`);
  return Buffer.concat(parts).toString("utf8");
}
