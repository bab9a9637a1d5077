import type { mongo } from "mongoose";
import type { Sealer } from "../crypto/sealing";
import { errorFields, type Logger } from "../process/logger";

/** The fields of a record that are read to renew its texts. */
export interface KeyedRecord {
  _id: string | number;
  tenant?: string;
  [field: string]: unknown;
}

/** The result for a text. `left`: it is under an older key, and cannot be made anew from what is stored. */
export type Renewed = { state: "newest" | "left" } | { state: "renewed"; text: string };

/** A field with a text that was made with a key. */
export interface KeyedField {
  /** Its path, with dots between the parts. */
  path: string;
  /** Renews the text. Throws when the ring does not contain its key. */
  renew(text: string, record: KeyedRecord): Renewed;
}

/** A collection with texts that were made with the keys of a ring. */
export interface KeyUse {
  /** Name of the setting that contains the ring. */
  ring: string;
  collection: string;
  fields: readonly KeyedField[];
  /** Names of further fields to read of a record; `tenant` is always read. */
  reads?: readonly string[];
  /** False for a record that no longer needs a key. */
  counts?(record: KeyedRecord): boolean;
}

/** What a walk has found. */
export interface KeyTally {
  seen: number;
  renewed: number;
  left: number;
  unopened: number;
  /** The first hundred records that are left or cannot be opened. */
  names: string[];
}

export const emptyTally = (): KeyTally => ({ seen: 0, renewed: 0, left: 0, unopened: 0, names: [] });

/** Adds two tallies. */
export const addTallies = (one: KeyTally, other: KeyTally): KeyTally => ({
  seen: one.seen + other.seen,
  renewed: one.renewed + other.renewed,
  left: one.left + other.left,
  unopened: one.unopened + other.unopened,
  names: [...one.names, ...other.names].slice(0, maxNames),
});

const maxNames = 100;
const batchSize = 100;
/** How often others may change a record while it is renewed before it counts as left. */
const maxTries = 5;

/** Describes a field that is sealed for its place. */
export const sealedField = (
  path: string,
  sealer: Pick<Sealer, "renew">,
  placeOf: (record: KeyedRecord) => string,
): KeyedField => ({
  path,
  renew(text, record) {
    const renewed = sealer.renew(text, placeOf(record));
    return renewed === undefined ? { state: "newest" } : { state: "renewed", text: renewed };
  },
});

/** The last record of a batch, and whether it was the last of all. */
export interface KeyBatch {
  tally: KeyTally;
  last: KeyedRecord["_id"] | undefined;
  isOver: boolean;
}

/** Renews the next records after one, each by compare-and-set, while others read and write them. Repeating it does no harm. */
export async function renewBatch(
  db: mongo.Db,
  use: KeyUse,
  after: KeyedRecord["_id"] | undefined,
  logger: Logger,
): Promise<KeyBatch> {
  const records = db.collection<KeyedRecord>(use.collection);
  const names = ["tenant", ...use.fields.map(({ path }) => path), ...(use.reads ?? [])];
  const projection = Object.fromEntries(names.map((name) => [name, 1]));
  const found = records.find(after === undefined ? {} : { _id: { $gt: after } }, { projection });
  const batch = await found.sort({ _id: 1 }).limit(batchSize).toArray();
  let tally = emptyTally();
  for (const record of batch) {
    const state = await renewRecord({ records, projection, use, logger }, record);
    if (state !== undefined) tally = addTallies(tally, tallyOf(state, record));
  }
  return { tally, last: batch.at(-1)?._id ?? after, isOver: batch.length < batchSize };
}

type State = Renewed["state"] | "unopened";

const tallyOf = (state: State, { _id }: KeyedRecord): KeyTally => ({
  seen: 1,
  renewed: state === "renewed" ? 1 : 0,
  left: state === "left" ? 1 : 0,
  unopened: state === "unopened" ? 1 : 0,
  names: state === "left" || state === "unopened" ? [String(_id)] : [],
});

interface Renewing {
  records: mongo.Collection<KeyedRecord>;
  projection: Readonly<Record<string, number>>;
  use: KeyUse;
  logger: Logger;
}

/** Returns what became of a record; undefined when there is nothing to renew in it. */
async function renewRecord(
  { records, projection, use, logger }: Renewing,
  first: KeyedRecord,
): Promise<State | undefined> {
  let record: KeyedRecord | null = first;
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (record === null || use.counts?.(record) === false) return undefined;
    const { states, before, changes } = renewFields(use, record, logger);
    const [state] = (["unopened", "left", "renewed", "newest"] as const).filter((one) => states.includes(one));
    if (Object.keys(changes).length === 0) return state;
    const unchanged: mongo.Filter<KeyedRecord> = { _id: record._id, ...before };
    const { modifiedCount } = await records.updateOne(unchanged, { $set: changes });
    if (modifiedCount === 1) return state;
    record = await records.findOne({ _id: record._id }, { projection });
  }
  return "left";
}

function renewFields(use: KeyUse, record: KeyedRecord, logger: Logger) {
  const states: State[] = [];
  const before: Record<string, string> = {};
  const changes: Record<string, string> = {};
  for (const { path, renew } of use.fields) {
    const text = path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value) as object, name), record);
    if (typeof text !== "string") continue;
    try {
      const renewed = renew(text, record);
      states.push(renewed.state);
      if (renewed.state !== "renewed") continue;
      before[path] = text;
      changes[path] = renewed.text;
    } catch (error) {
      logger.error({ id: record._id, collection: use.collection, ...errorFields(error) }, "a key does not open");
      states.push("unopened");
    }
  }
  return { states, before, changes };
}
