import type { Connection } from "mongoose";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { repeatTogether } from "../process/repeat";
import { makeHolder, makeLease } from "./lease";
import { isDuplicateKey } from "./mongo";
import { makeReadStoreTime } from "./store-clock";
import { formatReaders, watermarkEveryMs } from "./watermark";

/**
 * A change of the form in which a service has stored something. The release that introduces it reads both forms and writes the earlier
 * one, so that it can run beside replicas that know only that form; the release after it may write the new form.
 */
export interface Migration {
  /** A description of the change, for the log. */
  name: string;
  /**
   * Changes the next few records after a place ("" is before the first), and returns the place of the last of them, or undefined when
   * there are no more. It may be repeated from any earlier place, and run twice at once: it leaves records in the new form unchanged.
   */
  changeSome(connection: Connection, after: string): Promise<string | undefined>;
}

export interface FormatOptions {
  /** All migrations that a service has ever had, in order: their number determines the format that the release knows. */
  migrations?: readonly Migration[];
  logger?: Logger;
  /** How often a replica reports that it runs and checks for work, milliseconds. */
  everyMs?: number;
  /** A replica counts as gone this long after its last report, milliseconds. */
  goneAfterMs?: number;
  /** How long others wait for a replica that was killed in the middle of a migration, milliseconds. */
  leaseMs?: number;
}

interface FormatRecord {
  _id: "storage";
  /** Format 1, plus one for each migration that has begun. */
  number: number;
  isDone: boolean;
  /** The place that the current migration has reached. */
  after: string;
}

const firstFormat = 1;

/**
 * Refuses a database whose format is newer than this release, records the format of a new database, and migrates an older one in the
 * background. A migration begins once no replica of an earlier release has been seen for a while, so an upgrade that fails before can be
 * undone; a migration that has begun cannot. Any replica continues where another one was killed.
 */
export async function openFormat(connection: Connection, options: FormatOptions = {}): Promise<Running> {
  const { migrations = [], logger, everyMs = watermarkEveryMs, leaseMs: ttlMs = 30_000 } = options;
  const own = firstFormat + migrations.length;
  await noteReader(connection, own);
  // Read after the report above: a replica that begins a migration meanwhile sees the report before anything is changed.
  const { number } = await readFormat(connection, own);
  if (number > own) throw new Error(newerFormat(connection.name, number, own));
  const lease = makeLease({ connection, name: "migrations", holder: makeHolder(), ttlMs });
  let isStopping = false;
  let isHolding = false;
  let isSettled = false;
  const goOn = async (): Promise<boolean> => {
    isHolding = !isStopping && (await lease.hold());
    return isHolding;
  };
  const work = async (): Promise<void> => {
    await noteReader(connection, own);
    // A format never goes back, so a database that has reached ours is not read again.
    if (isSettled) return;
    const format = await readFormat(connection, own);
    isSettled = format.isDone && format.number >= own;
    if (!isSettled && (await goOn())) await migrate(connection, { ...options, goOn });
  };
  const working = repeatTogether(everyMs, work, (error) =>
    logger?.warn(errorFields(error), "a migration could not go on"),
  );
  return {
    async stop() {
      const isHolder = isHolding;
      isStopping = true;
      await working.stop();
      // Without the release, another replica would wait for the lease to expire.
      if (isHolder) await lease.release().catch(() => undefined);
    },
  };
}

const newerFormat = (database: string, number: number, own: number): string =>
  `database ${database} has storage format ${number} and this release knows formats up to ${own}: ` +
  "start the newer release again, or restore a copy of before its migration";

const formats = (connection: Connection) => connection.collection<FormatRecord>("formats");

async function noteReader(connection: Connection, number: number): Promise<void> {
  const isNow = { $currentDate: { at: true } } as const;
  await formatReaders(connection)
    .updateOne({ _id: String(number) }, isNow, { upsert: true })
    .catch(ignoreRival);
}

/** Returns the format of the database; a database without one is new, and gets the format of its first service. */
async function readFormat(connection: Connection, own: number): Promise<FormatRecord> {
  const found = await formats(connection).findOne({ _id: "storage" });
  if (found !== null) return found;
  const fresh: FormatRecord = { _id: "storage", number: own, isDone: true, after: "" };
  await formats(connection).insertOne(fresh).catch(ignoreRival);
  return readFormat(connection, own);
}

/** Ignores that another replica has written the same at the same time. */
const ignoreRival = (error: unknown): void => {
  if (!isDuplicateKey(error)) throw error;
};

interface MigrateOptions extends FormatOptions {
  /** Returns false when another replica has taken over, or this one stops. */
  goOn(): Promise<boolean>;
}

/** Runs the pending migrations, one after the other. */
async function migrate(connection: Connection, options: MigrateOptions): Promise<void> {
  const { migrations = [], logger, goOn } = options;
  for (;;) {
    const format = await formats(connection).findOne({ _id: "storage" });
    if (format === null) return;
    if (format.isDone) {
      const next = migrations[format.number - firstFormat];
      if (next === undefined || (await hasEarlierReaders(connection, format.number + 1, options))) return;
      // From here on, a replica that does not know this format is refused when it starts; nothing is changed before the next look.
      const begun = { $set: { number: format.number + 1, isDone: false, after: "" } };
      await formats(connection).updateOne({ _id: "storage", number: format.number, isDone: true }, begun);
      logger?.info({ migration: next.name, format: format.number + 1 }, "a migration begins");
      continue;
    }
    const running = migrations[format.number - firstFormat - 1];
    // A replica that was about to start when the migration began is running by now.
    if (running === undefined || (await hasEarlierReaders(connection, format.number, options))) return;
    if (!(await changeAll(connection, running, format, goOn))) return;
    await formats(connection).updateOne(
      { _id: "storage", number: format.number },
      { $set: { isDone: true, after: "" } },
    );
    logger?.info({ migration: running.name, format: format.number }, "a migration is done");
  }
}

/** Continues from the place that was reached; returns false when it may not continue to the end. */
async function changeAll(
  connection: Connection,
  { changeSome }: Migration,
  { number, after }: FormatRecord,
  goOn: MigrateOptions["goOn"],
): Promise<boolean> {
  let place = after;
  while (await goOn()) {
    const reached = await changeSome(connection, place);
    if (reached === undefined) return true;
    place = reached;
    await formats(connection).updateOne({ _id: "storage", number, isDone: false }, { $set: { after: place } });
  }
  return false;
}

/** True while a replica that does not know a format appears to be running. */
async function hasEarlierReaders(
  connection: Connection,
  number: number,
  { goneAfterMs = 120_000 }: FormatOptions,
): Promise<boolean> {
  const ids = Array.from({ length: number - firstFormat }, (_, at) => String(firstFormat + at));
  const now = await makeReadStoreTime(connection)();
  const found = await formatReaders(connection)
    .find({ _id: { $in: ids } })
    .toArray();
  return found.some(({ at }) => now.getTime() - at.getTime() < goneAfterMs);
}
