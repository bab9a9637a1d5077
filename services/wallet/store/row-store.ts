import { type Connection, Schema } from "mongoose";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { insertAll } from "../../shared/storage/one-command";
import { date, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { LineName } from "../domain/account";
import type { Entry, Row } from "../domain/entry";
import { type EntryRecord, lineId, placeOf, rowsIn, toEntry } from "./entry-record";

/**
 * The state of a line at a time, recorded for one row in many: an index over all rows would make each write more expensive and find no
 * faster.
 */
interface MarkRecord {
  /** Place of the row. */
  _id: string;
  /** `<account>/<line>`. */
  line: string;
  at: Date;
  seq: number;
}

/** A row with the entry that it belongs to. */
export interface BookedRow {
  row: Row;
  entry: Entry;
}

export interface RowStore {
  init(): Promise<void>;
  /** Records the times of some of the rows that are written with their entries. */
  mark(tx: Tx, rows: readonly Row[]): Promise<void>;
  /** Returns the rows with `after` < seq <= `until`, in order. */
  range(account: string, line: LineName, after: number, until: number): Promise<BookedRow[]>;
  /** Returns the row with the highest number before an instant; undefined when there is none. */
  lastBefore(account: string, line: LineName, at: Date): Promise<Row | undefined>;
  /** Returns the hashes of those named rows that exist, by `<account>/<line>/<seq>`. */
  hashes(rows: readonly Pick<Row, "account" | "line" | "seq">[]): Promise<Map<string, string>>;
}

/** Rows 1, 65, 129 and so on have marks. */
const markEvery = 64;
/** After a mark, first every eighth row is read, and then the rows between two of them. */
const stride = 8;

/** Times of a line never go back, so the last mark before an instant is at most 64 rows before the row that is looked for. */
const markSchema = new Schema<MarkRecord>({ _id: text, line: text, at: date, seq: number }, strictDocument).index({
  line: 1,
  at: 1,
  seq: 1,
});

/** Reads the rows of all lines. They are part of the documents of their entries, and are written with them. */
export function makeRowStore(connection: Connection): RowStore {
  const model = connection.model("RowMark", markSchema, "row_marks");
  const marks = driverDb(connection).collection<MarkRecord>("row_marks");
  const entries = driverDb(connection).collection<EntryRecord>("entries");
  const placesOf = (account: string, name: LineName, seqs: readonly number[]): string[] => {
    const line = lineId(account, name);
    return seqs.map((seq) => placeOf(line, seq));
  };
  const lastOf = async (account: string, line: LineName, seqs: readonly number[], at: Date) => {
    const named = { places: { $in: placesOf(account, line, seqs) }, at: { $lt: at } };
    const found = await entries.find(named, { projection: { at: 1, moves: 1 } }).toArray();
    const rows = found.flatMap((record) => rowsIn(record, account, line));
    return rows.toSorted((a, b) => a.seq - b.seq).at(-1);
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    mark: (tx, rows) => insertAll(tx, marks, rows.filter(({ seq }) => seq % markEvery === 1).map(toMark)),
    async range(account, line, after, until) {
      if (until <= after) return [];
      const seqs = Array.from({ length: until - after }, (_, index) => after + 1 + index);
      const found = await entries.find({ places: { $in: placesOf(account, line, seqs) } }).toArray();
      const booked = found.flatMap((record) => {
        const entry = toEntry(record);
        return rowsIn(record, account, line).map((row) => ({ row, entry }));
      });
      return booked.toSorted((a, b) => a.row.seq - b.row.seq);
    },
    async lastBefore(account, line, at) {
      const marked = { line: lineId(account, line), at: { $lt: at } };
      const [nearest] = await marks.find(marked).sort({ line: -1, at: -1, seq: -1 }).limit(1).toArray();
      if (nearest === undefined) return undefined;
      const near = await lastOf(account, line, every(stride, nearest.seq, markEvery / stride), at);
      if (near === undefined) return undefined;
      return (await lastOf(account, line, every(1, near.seq + 1, stride - 1), at)) ?? near;
    },
    async hashes(named) {
      const places = named.map(({ account, line, seq }) => placeOf(lineId(account, line), seq));
      const found = entries.find({ places: { $in: places } }, { projection: { moves: 1 } });
      const moves = (await found.toArray()).flatMap((record) => record.moves);
      return new Map(moves.map(({ account, line, seq, hash }) => [`${account}/${line}/${seq}`, hash]));
    },
  };
}

/** Returns `count` numbers from `from` on, `step` apart. */
const every = (step: number, from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + step * index);

function toMark({ account, line: name, seq, at }: Row): MarkRecord {
  const line = lineId(account, name);
  return { _id: placeOf(line, seq), line, at, seq };
}
