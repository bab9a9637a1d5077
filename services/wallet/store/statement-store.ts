import { type Connection, type mongo, Schema } from "mongoose";
import { plusMs } from "../../shared/kernel/clock";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import {
  anyText,
  date,
  integer,
  listOf,
  number,
  oneOf,
  part,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import {
  type BreakClass,
  breakClasses,
  type Item,
  type Leg,
  legs,
  lineKinds,
  type Numbering,
} from "../domain/statement";

/** How far a provider's statement and our account have been read. */
export interface SourceState extends Numbering {
  provider: string;
  /** Where to continue reading the statement; undefined at its beginning. */
  cursor: string | undefined;
  /** Where the last page with lines began. */
  lastPlace: string | undefined;
  /** Last row that was read of each shard of the clearing account. */
  positions: Readonly<Record<string, number>>;
  /** When the statement was read to its end. */
  readAt: Date | undefined;
  /** How often it was saved: a writer with an older revision cannot save it. */
  revision: number;
}

/** A difference between the books. It stays until it is resolved. */
export interface Break {
  id: string;
  class: BreakClass;
  provider: string;
  reference: string;
  paymentIds: readonly string[];
  /** The half of the payment that the statement's lines belong to; undefined without such lines. */
  leg: Leg | undefined;
  lineIds: readonly string[];
  entryIds: readonly string[];
  ours: { asset: string; minor: bigint } | undefined;
  theirs: { asset: string; minor: bigint } | undefined;
  /** What was seen, worded for people. */
  detail: string;
  foundAt: Date;
  resolvedAt: Date | undefined;
  resolution: string | undefined;
  /** The case that was opened for it. */
  caseId: string | undefined;
}

type ItemRecord = Omit<Item, "id" | "isOpen" | "brokenAt"> & {
  _id: string;
  openSince?: Date;
  brokenAt?: Date;
  purgeAt?: Date;
};
type SourceRecord = Omit<SourceState, "provider" | "positions"> & {
  _id: string;
  /** A list rather than an object: names of shards are data. */
  positions: { shard: string; seq: number }[];
};
type BreakRecord = Omit<Break, "id"> & { _id: string; isUnresolved?: true; isUntold?: true };

export interface StatementStore {
  init(): Promise<void>;
  source(provider: string): Promise<SourceState>;
  /** Saves the state after the stored revision; a reader that was overtaken is refused, and reads again. */
  saveSource(tx: Tx, state: SourceState): Promise<void>;
  /** Returns the items with one of the aliases, and the open items with one of the references. */
  items(tx: Tx, provider: string, aliases: readonly string[], references: readonly string[]): Promise<Item[]>;
  saveItems(tx: Tx, items: readonly Item[], now: Date): Promise<void>;
  /** Returns the oldest open items of a provider that are not breaks yet. */
  overdue(provider: string, before: Date, limit: number): Promise<Item[]>;
  openItems(): Promise<ReadonlyMap<string, number>>;
  /** Stores a break that was found; a known one stays as it is, unless it was resolved and has come back. */
  find(tx: Tx, found: Break): Promise<void>;
  /** Resolves a break; false when there is no such unresolved break. */
  resolve(tx: Tx, id: string, resolution: string, at: Date): Promise<boolean>;
  findBreak(id: string): Promise<Break | undefined>;
  /** Lists breaks, the oldest first. */
  breaks(which: "unresolved" | "untold", after: string, limit: number): Promise<Break[]>;
  markTold(id: string, caseId: string): Promise<void>;
  countUnresolved(): Promise<ReadonlyMap<string, number>>;
}

const keptMs = 90 * 86_400_000;

const sourceSchema = new Schema<SourceRecord>(
  {
    _id: text,
    cursor: String,
    lastPlace: String,
    positions: listOf(part({ shard: text, seq: number })),
    last: number,
    gaps: listOf(part({ from: number, until: number, since: date, place: String, askedAt: Date })),
    readAt: Date,
    revision: number,
  },
  strictDocument,
);
const statementLine = part({
  sequence: number,
  lineId: text,
  reference: anyText,
  movementId: anyText,
  kind: oneOf(lineKinds),
  asset: text,
  minor: integer,
  bookedAt: date,
});
const bookedMove = part({
  entryId: text,
  paymentId: String,
  links: listOf(String),
  asset: text,
  minor: integer,
  at: date,
});
const itemSchema = new Schema<ItemRecord>(
  {
    _id: text,
    provider: text,
    reference: anyText,
    aliases: listOf(String),
    lines: listOf(statementLine),
    moves: listOf(bookedMove),
    since: date,
    openSince: Date,
    brokenAt: Date,
    purgeAt: Date,
  },
  strictDocument,
)
  .index({ aliases: 1 })
  .index({ provider: 1, reference: 1 })
  .index({ provider: 1, openSince: 1, _id: 1 }, { partialFilterExpression: { openSince: { $exists: true } } })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const side = part({ asset: text, minor: integer });
const breakSchema = new Schema<BreakRecord>(
  {
    _id: text,
    class: oneOf(breakClasses),
    provider: anyText,
    reference: anyText,
    paymentIds: listOf(String),
    leg: { type: String, enum: legs },
    lineIds: listOf(String),
    entryIds: listOf(String),
    ours: side,
    theirs: side,
    detail: text,
    foundAt: date,
    resolvedAt: Date,
    resolution: String,
    caseId: String,
    isUnresolved: Boolean,
    isUntold: Boolean,
  },
  strictDocument,
)
  .index({ isUnresolved: 1, _id: 1 }, { partialFilterExpression: { isUnresolved: { $exists: true } } })
  .index({ isUntold: 1, _id: 1 }, { partialFilterExpression: { isUntold: { $exists: true } } });

/** Stores what statements and our accounts report of each movement, and where they differ. */
export function makeStatementStore(connection: Connection): StatementStore {
  const sources = connection.model("StatementSource", sourceSchema, "statement_sources");
  const itemModel = connection.model("StatementItem", itemSchema, "statement_items");
  // Hot: there is an item for each movement of each provider.
  const items = driverDb(connection).collection<ItemRecord>("statement_items");
  const breaks = breakModel(connection);
  return {
    async init() {
      for (const model of [sources, itemModel, breaks]) {
        await model.createCollection();
        await model.createIndexes();
      }
    },
    async source(provider) {
      const nothing = { cursor: undefined, lastPlace: undefined, positions: {}, last: 0, gaps: [], readAt: undefined };
      const record = await sources.findById(provider).lean<SourceRecord>();
      if (record === null) return { provider, ...nothing, revision: 0 };
      // Fields are named one by one: a field that a later release has added to the record would be refused when this release saves it.
      const { cursor, lastPlace, last, gaps, readAt, revision } = record;
      const positions = Object.fromEntries(record.positions.map(({ shard, seq }) => [shard, seq]));
      return { provider, cursor, lastPlace, positions, last, gaps, readAt, revision };
    },
    async saveSource({ session }, { provider, positions, ...state }) {
      const record = { ...state, positions: Object.entries(positions).map(([shard, seq]) => ({ shard, seq })) };
      if (state.revision === 1) await sources.create([{ _id: provider, ...record }], { session });
      else {
        const before = { _id: provider, revision: state.revision - 1 };
        const { matchedCount } = await sources.replaceOne(before, record, { session });
        if (matchedCount !== 1) throw new Error(`the statement of ${provider} is being read by another process`);
      }
    },
    async items({ session }, provider, aliases, references) {
      if (aliases.length === 0 || references.length === 0) return [];
      const named = await items.find({ aliases: { $in: [...aliases] } }, { session }).toArray();
      const open = { provider, reference: { $in: [...references] }, openSince: { $exists: true } };
      const near = await items.find(open, { session }).toArray();
      return [...new Map([...named, ...near].map((record) => [record._id, toItem(record)])).values()];
    },
    async saveItems({ session }, changed, now) {
      if (changed.length === 0) return;
      const writes = changed.map(({ id, isOpen, brokenAt, ...item }): mongo.AnyBulkWriteOperation<ItemRecord> => {
        const state = isOpen ? { openSince: item.since } : { purgeAt: plusMs(now, keptMs) };
        const replacement = { ...item, ...state, ...(brokenAt === undefined ? {} : { brokenAt }) };
        return { replaceOne: { filter: { _id: id }, replacement, upsert: true } };
      });
      await items.bulkWrite(writes, { session, ordered: true });
    },
    async overdue(provider, before, limit) {
      const due = { provider, openSince: { $lt: before }, brokenAt: { $exists: false } };
      return (await items.find(due).sort({ openSince: 1, _id: 1 }).limit(limit).toArray()).map(toItem);
    },
    async openItems() {
      const counts = new Map<string, number>();
      const open = items
        .find({ openSince: { $exists: true } }, { projection: { provider: 1 } })
        .sort({ provider: 1, openSince: 1 });
      for await (const { provider } of open) counts.set(provider, (counts.get(provider) ?? 0) + 1);
      return counts;
    },
    ...makeBreaks(breaks),
  };
}

const breakModel = (connection: Connection) => connection.model("StatementBreak", breakSchema, "statement_breaks");

type Breaks = Pick<StatementStore, "find" | "resolve" | "findBreak" | "breaks" | "markTold" | "countUnresolved">;

/** Stores the differences between statements and our accounts until someone resolves them. */
function makeBreaks(breaks: ReturnType<typeof breakModel>): Breaks {
  return {
    async find({ session }, { id, ...found }) {
      const flags = { isUnresolved: true, isUntold: true } as const;
      const known = await breaks.findById(id, {}, { session }).lean<BreakRecord>();
      if (known !== null && known.isUnresolved === true) return;
      await breaks.replaceOne({ _id: id }, { ...found, ...flags }, { session, upsert: true });
    },
    async resolve({ session }, id, resolution, at) {
      const done = { $set: { resolvedAt: at, resolution }, $unset: { isUnresolved: "" as const } };
      const { matchedCount } = await breaks.updateOne({ _id: id, isUnresolved: true }, done, { session });
      return matchedCount === 1;
    },
    async findBreak(id) {
      const record = await breaks.findById(id).lean<BreakRecord>();
      return record === null ? undefined : toBreak(record);
    },
    async breaks(which, after, limit) {
      const filter = { [flagged[which]]: true, _id: { $gt: after } };
      const found = breaks.find(filter).sort({ [flagged[which]]: 1, _id: 1 });
      return (await found.limit(limit).lean<BreakRecord[]>()).map(toBreak);
    },
    async markTold(id, caseId) {
      await breaks.updateOne({ _id: id }, { $set: { caseId }, $unset: { isUntold: "" } });
    },
    async countUnresolved() {
      const counts = new Map<string, number>();
      const open = breaks.find({ isUnresolved: true }, { class: 1 }).lean<Pick<BreakRecord, "class">[]>().cursor();
      for await (const one of open) counts.set(one.class, (counts.get(one.class) ?? 0) + 1);
      return counts;
    },
  };
}

const flagged = { unresolved: "isUnresolved", untold: "isUntold" } as const;

const toItem = ({ _id, openSince, purgeAt: _purge, brokenAt, ...item }: ItemRecord): Item => ({
  ...item,
  id: _id,
  isOpen: openSince !== undefined,
  brokenAt,
});

const toBreak = ({ _id, isUnresolved: _open, isUntold: _told, ...one }: BreakRecord): Break => ({
  ...one,
  id: _id,
  leg: one.leg ?? undefined,
  ours: one.ours ?? undefined,
  theirs: one.theirs ?? undefined,
  resolvedAt: one.resolvedAt ?? undefined,
  resolution: one.resolution ?? undefined,
  caseId: one.caseId ?? undefined,
});
