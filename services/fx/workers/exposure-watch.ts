import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import { type LimitedPosition, type Move, requireRoom } from "../domain/exposure";
import type { ExposureRoom, Positions } from "../ports";
import type { ExposureLimitStore, TakenRoom } from "../store/exposure-limit-store";

/** A payment that was priced this long ago and is not stored will not be. */
const abandonedMs = 60_000;

export interface ExposureWatchDeps {
  /** Undefined where no ledger is configured: limited currencies are then not quoted. */
  positions: Positions | undefined;
  limits: Pick<ExposureLimitStore, "all" | "of" | "take" | "taken" | "saveReading">;
  refreshMs: number;
  maxAgeMs: number;
  clock: Clock;
  logger: Logger;
}

/**
 * Keeps a reading of the positions in limited currencies, by which conversions are compared with the limits without a call to the ledger.
 * Reading and limits are those of all replicas: what one of them accepts counts for all at once, and until a reading has it. While no
 * limit is set, the ledger is not read.
 */
export async function startExposureWatch({
  positions,
  limits: store,
  refreshMs,
  maxAgeMs,
  clock,
  logger,
}: ExposureWatchDeps): Promise<Running & ExposureRoom & { limited(): readonly LimitedPosition[] }> {
  let limited = await store.all();
  const readPositions = async (known: Positions, rooms: readonly TakenRoom[]): Promise<void> => {
    const at = clock.now();
    const ids = new Set(rooms.flatMap(({ taken }) => taken.map(({ paymentId }) => paymentId)));
    const read = await known.read([...ids]);
    const nets = new Map(read.positions.map((one) => [one.currency, one.settledMinor + one.openMinor]));
    for (const room of rooms) {
      const netMinor = nets.get(room.limit.currency) ?? 0n;
      await store.saveReading(room, { at, netMinor }, containedIn(room, read.stored, plusMs(at, -abandonedMs)));
    }
  };
  const refresh = async (): Promise<void> => {
    const rooms = await store.taken();
    try {
      if (positions !== undefined && rooms.length > 0) await readPositions(positions, rooms);
    } finally {
      // A new limit counts together with its first reading, or from when that failed: before, nothing could be judged by it.
      limited = rooms.map(({ limit }) => limit);
    }
  };
  const limitedOf = (moves: readonly Move[]): string[] =>
    moves.map(({ currency }) => currency).filter((currency) => limited.some((one) => one.currency === currency));
  const judge = (moves: readonly Move[]) => (found: readonly LimitedPosition[]) =>
    requireRoom(found, moves, clock.now(), maxAgeMs);
  const onError = (error: unknown): void => logger.warn(errorFields(error), "the exposure could not be read");
  const reads = repeat(refreshMs, refresh, onError);
  return {
    limited: () => limited,
    async require(moves) {
      const currencies = limitedOf(moves);
      if (currencies.length > 0) judge(moves)(await store.of(currencies));
    },
    async take(paymentId, moves) {
      if (limitedOf(moves).length > 0) await store.take({ paymentId, moves, at: clock.now() }, judge(moves));
    },
    stop: () => reads.stop(),
  };
}

/** Returns the payments whose part of a position no longer counts beside a reading: it has them, or they will not be stored. */
const containedIn = ({ taken }: TakenRoom, stored: ReadonlySet<string>, before: Date): string[] =>
  taken.filter(({ paymentId, at }) => stored.has(paymentId) || at < before).map(({ paymentId }) => paymentId);
