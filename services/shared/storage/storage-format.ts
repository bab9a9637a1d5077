import type { Connection } from "mongoose";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { repeatTogether } from "../process/repeat";
import { makeHolder, makeLease } from "./lease";
import { isDuplicateKey } from "./mongo";
import { makeReadStoreTime } from "./store-clock";
import { formatReaders, watermarkEveryMs } from "./watermark";

/**
 * A change of the form in which a service has stored something. The release that brings it reads both forms and writes the one before,
 * so that it runs beside replicas that know that one alone; the release after it may write the new form.
 */
export interface Migration {
  /** What is changed, for the log. */
  name: string;
  /**
   * Changes the next few records behind a place ("" is before the first), and returns the place of the last of them, or undefined when
   * there are no more. It may be done again from any earlier place, and twice at once: it leaves alone what has the new form.
   */
  changeSome(connection: Connection, after: string): Promise<string | undefined>;
}

export interface FormatOptions {
  /** All that a service has ever had, in order: how many there are says which format it knows. */
  migrations?: readonly Migration[];
  logger?: Logger;
  /** How often a replica says that it runs and looks what is to be done, milliseconds. */
  everyMs?: number;
  /** A replica that has not said so for this long is gone. */
  goneAfterMs?: number;
  /** How long others wait for one that was killed in the middle of a migration. */
  leaseMs?: number;
}

interface FormatRecord {
  _id: "storage";
  /** Format 1 and one more for each migration that has begun. */
  number: number;
  isDone: boolean;
  /** How far the migration that has begun has come. */
  after: string;
}

const firstFormat = 1;

/**
 * Refuses a database whose format is newer than this release, makes one that is new known as its own, and from then on changes an
 * older one. That begins once no replica of an earlier release has been seen for a while, so an upgrade that fails on its way can be
 * taken back; what has begun cannot. Any replica goes on where another one was killed.
 */
export async function openFormat(connection: Connection, options: FormatOptions = {}): Promise<Running> {
  const { migrations = [], logger, everyMs = watermarkEveryMs, leaseMs: ttlMs = 30_000 } = options;
  const own = firstFormat + migrations.length;
  await noteReader(connection, own);
  // Behind the note: whoever begins a migration meanwhile sees it before anything is changed.
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
    // A format never goes back, so that of a database that has ours is not read again.
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
      // Without this another one waits for its end.
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

/** The format of the database; one that has none yet is new, and gets that of its first service. */
async function readFormat(connection: Connection, own: number): Promise<FormatRecord> {
  const found = await formats(connection).findOne({ _id: "storage" });
  if (found !== null) return found;
  const fresh: FormatRecord = { _id: "storage", number: own, isDone: true, after: "" };
  await formats(connection).insertOne(fresh).catch(ignoreRival);
  return readFormat(connection, own);
}

/** Somebody else has written the same at the same time. */
const ignoreRival = (error: unknown): void => {
  if (!isDuplicateKey(error)) throw error;
};

interface MigrateOptions extends FormatOptions {
  /** False when another replica has taken over, or this one stops. */
  goOn(): Promise<boolean>;
}

/** Does what is to be done, one migration after the other. */
async function migrate(connection: Connection, options: MigrateOptions): Promise<void> {
  const { migrations = [], logger, goOn } = options;
  for (;;) {
    const format = await formats(connection).findOne({ _id: "storage" });
    if (format === null) return;
    if (format.isDone) {
      const next = migrations[format.number - firstFormat];
      if (next === undefined || (await hasEarlierReaders(connection, format.number + 1, options))) return;
      // Whoever starts from here on and does not know this format is refused; nothing is changed before the next look.
      const begun = { $set: { number: format.number + 1, isDone: false, after: "" } };
      await formats(connection).updateOne({ _id: "storage", number: format.number, isDone: true }, begun);
      logger?.info({ migration: next.name, format: format.number + 1 }, "a migration begins");
      continue;
    }
    const running = migrations[format.number - firstFormat - 1];
    // Somebody who was about to start when it began runs by now.
    if (running === undefined || (await hasEarlierReaders(connection, format.number, options))) return;
    if (!(await changeAll(connection, running, format, goOn))) return;
    await formats(connection).updateOne(
      { _id: "storage", number: format.number },
      { $set: { isDone: true, after: "" } },
    );
    logger?.info({ migration: running.name, format: format.number }, "a migration is done");
  }
}

/** Goes on from where it came to; false when it may not go on to the end. */
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

/** True while a replica that does not know a format runs, as far as anybody can tell. */
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
