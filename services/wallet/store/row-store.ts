import { type Connection, type mongo, Schema } from "mongoose";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { date, integer, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { LineName } from "../domain/account";
import type { Row } from "../domain/entry";

interface RowRecord extends Omit<Row, "account" | "line"> {
  /** `<account>/<line>/<seq>`, the number with leading zeros, so that ids of a line are in its order. */
  _id: string;
  /** `<account>/<line>`, in one row of 16 only: an index over all of them would cost each write and find no faster. */
  mark?: string;
}

export interface RowStore {
  init(): Promise<void>;
  add(tx: Tx, rows: readonly Row[]): Promise<void>;
  /** Rows with `after` < seq <= `until`, in order. */
  range(account: string, line: LineName, after: number, until: number): Promise<Row[]>;
  /** The row with the highest number before an instant; undefined when there is none. */
  lastBefore(account: string, line: LineName, at: Date): Promise<Row | undefined>;
  /** Hashes of the named rows that are there, by `<account>/<line>/<seq>`. */
  hashes(rows: readonly Pick<Row, "account" | "line" | "seq">[]): Promise<Map<string, string>>;
}

const letters: Readonly<Record<LineName, string>> = { settled: "s", debitHolds: "d", creditHolds: "c", status: "t" };
const digits = 12;

const lineId = (account: string, line: LineName): string => `${account}/${letters[line]}`;
const rowId = (line: string, seq: number): string => `${line}/${String(seq).padStart(digits, "0")}`;

/** Rows 1, 17, 33 and so on are marked with their line and time. */
const markEvery = 16;

/** Times of a line never go back, so the last mark before an instant is at most 16 rows before the row that is sought. */
const rowSchema = new Schema<RowRecord>(
  { _id: text, mark: String, seq: number, entry: text, minor: integer, after: integer, at: date, hash: text },
  strictDocument,
).index({ mark: 1, at: 1, seq: 1 }, { partialFilterExpression: { mark: { $exists: true } } });

/** Rows of all lines. They are only ever added. */
export function makeRowStore(connection: Connection): RowStore {
  const model = connection.model("Row", rowSchema, "rows");
  const rows = driverDb(connection).collection<RowRecord>("rows");
  const between = (account: string, line: LineName, after: number, until: number): mongo.FindCursor<RowRecord> => {
    const id = lineId(account, line);
    return rows.find({ _id: { $gt: rowId(id, after), $lte: rowId(id, until) } }).sort({ _id: 1 });
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ session }, added) {
      if (added.length === 0) return;
      await rows.insertMany(added.map(toRecord), { session });
    },
    range: async (account, line, after, until) => {
      const found = await between(account, line, after, until).toArray();
      return found.map((record) => toRow(record, account, line));
    },
    async lastBefore(account, line, at) {
      const mark = { mark: lineId(account, line), at: { $lt: at } };
      const [nearest] = await rows.find(mark).sort({ mark: -1, at: -1, seq: -1 }).limit(1).toArray();
      if (nearest === undefined) return undefined;
      const id = mark.mark;
      const near = { _id: { $gte: rowId(id, nearest.seq), $lt: rowId(id, nearest.seq + markEvery) }, at: mark.at };
      const [record] = await rows.find(near).sort({ _id: -1 }).limit(1).toArray();
      return record === undefined ? undefined : toRow(record, account, line);
    },
    async hashes(named) {
      const nameById = new Map(
        named.map(({ account, line, seq }) => [rowId(lineId(account, line), seq), `${account}/${line}/${seq}`]),
      );
      const found = rows.find({ _id: { $in: [...nameById.keys()] } }, { projection: { hash: 1 } });
      const records = await found.toArray();
      return new Map(records.map(({ _id, hash }) => [nameById.get(_id) ?? "", hash]));
    },
  };
}

function toRecord({ account, line: name, ...row }: Row): RowRecord {
  const line = lineId(account, name);
  return { _id: rowId(line, row.seq), ...(row.seq % markEvery === 1 ? { mark: line } : {}), ...row };
}

const toRow = ({ _id, mark: _mark, ...row }: RowRecord, account: string, line: LineName): Row => ({
  ...row,
  account,
  line,
});
