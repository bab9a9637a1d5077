import { Schema } from "mongoose";
import {
  anyText,
  date,
  integer,
  listOf,
  mayListOf,
  number,
  oneOf,
  part,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import { type LineName, lineNames } from "../domain/account";
import { type Entry, entryKinds, type Move, type Row } from "../domain/entry";
import { type MovementKind, movementKind, walletsOf } from "../domain/movement";

/** A move with its row: the row's number within the line, the sum after it, and its hash. */
interface MoveRecord extends Move, Pick<Row, "seq" | "after" | "hash"> {}

export interface EntryRecord extends Omit<Entry, "id" | "content" | "moves"> {
  _id: string;
  moves: MoveRecord[];
  /** The places of its rows in their lines; absent when it moves nothing. */
  places?: string[];
  contentVersion: number;
  hashes: [string, string][];
  /** When a movement that lists show was made; other entries do not have it, so that they take no place in the index. */
  listedAt?: Date;
  /** What it is listed by: its wallets, its kind, and both together. */
  listedBy?: string[];
}

export const entrySchema = new Schema<EntryRecord>(
  {
    _id: text,
    kind: oneOf(entryKinds),
    // Empty for the platform's own accounts.
    tenant: anyText,
    at: date,
    externalId: String,
    description: String,
    label: String,
    links: mayListOf(String),
    eventId: String,
    parent: String,
    paymentId: String,
    expiresAt: Date,
    moves: listOf(
      part({ account: text, line: oneOf(lineNames), minor: integer, seq: number, after: integer, hash: text }),
    ),
    places: mayListOf(String),
    contentVersion: number,
    // Pairs of a field's name and its hash.
    hashes: listOf([String]),
    receipt: part({ form: number, asset: text }),
    facts: String,
    mark: text,
    listedAt: Date,
    listedBy: mayListOf(String),
  },
  strictDocument,
)
  // A number of a line is used once.
  .index({ places: 1 }, { unique: true, partialFilterExpression: { places: { $exists: true } } })
  .index({ paymentId: 1, _id: 1 }, { partialFilterExpression: { paymentId: { $exists: true } } })
  .index({ tenant: 1, listedAt: -1, _id: -1 }, { partialFilterExpression: { listedAt: { $exists: true } } })
  // Reading a page of few matches among many entries reads no more than the page shows.
  .index(
    { tenant: 1, listedBy: 1, listedAt: -1, _id: -1 },
    { partialFilterExpression: { listedAt: { $exists: true } } },
  );

const letters: Readonly<Record<LineName, string>> = { settled: "s", debitHolds: "d", creditHolds: "c", status: "t" };
const digits = 12;

/** Returns a line as one word. */
export const lineId = (account: string, line: LineName): string => `${account}/${letters[line]}`;

/** Returns a number within a line as one word, with leading zeros. */
export const placeOf = (line: string, seq: number): string => `${line}/${String(seq).padStart(digits, "0")}`;

/** Returns records of entries with their rows: each move has one row. */
export function toEntryRecords(entries: readonly Entry[], rows: readonly Row[]): EntryRecord[] {
  const rowByMove = new Map(rows.map((row) => [moveId(row.entry, row), row]));
  return entries.map(({ id, content, moves, ...entry }) => {
    const placed = moves.map((move): MoveRecord => {
      const row = rowByMove.get(moveId(id, move));
      if (row === undefined) throw new Error(`the entry ${id} moves ${move.account} without a row`);
      const { seq, after, hash } = row;
      return { ...move, seq, after, hash };
    });
    const places = placed.map(({ account, line, seq }) => placeOf(lineId(account, line), seq));
    return {
      _id: id,
      ...entry,
      moves: placed,
      ...(places.length === 0 ? {} : { places }),
      contentVersion: content.version,
      hashes: Object.entries(content.hashes),
      ...listed({ ...entry, moves }),
    };
  });
}

/** Returns the id of a move: an entry moves a line once. */
const moveId = (entry: string, { account, line }: Pick<Move, "account" | "line">): string =>
  `${entry} ${lineId(account, line)}`;

/** Returns a wallet, a kind of movement, or both, as one word. */
export const listWord = (walletId: string | undefined, kind: MovementKind | undefined): string =>
  `${walletId ?? ""}/${kind ?? ""}`;

function listed(entry: Pick<Entry, "kind" | "moves" | "at">): Pick<EntryRecord, "listedAt" | "listedBy"> {
  const kind = movementKind(entry);
  if (kind === undefined) return {};
  const words = walletsOf(entry).flatMap((id) => [listWord(id, undefined), listWord(id, kind)]);
  return { listedAt: entry.at, listedBy: [...words, listWord(undefined, kind)] };
}

/** Returns the rows of an entry on a line: at most one, as the ledger writes them. */
export const rowsIn = (
  { _id: entry, at, moves }: Pick<EntryRecord, "_id" | "at" | "moves">,
  account: string,
  line: LineName,
): Row[] =>
  moves.filter((move) => move.account === account && move.line === line).map((move) => ({ ...move, entry, at }));

export const toEntry = ({
  _id,
  moves,
  contentVersion,
  hashes,
  externalId,
  description,
  label,
  links,
  eventId,
  facts,
  parent,
  paymentId,
  expiresAt,
  receipt,
  places: _places,
  listedAt: _listed,
  listedBy: _words,
  ...entry
}: EntryRecord): Entry => ({
  ...entry,
  id: _id,
  moves: moves.map(({ account, line, minor }) => ({ account, line, minor })),
  externalId,
  description,
  label,
  links,
  eventId,
  facts,
  parent,
  paymentId,
  expiresAt,
  receipt,
  content: { version: contentVersion, hashes: Object.fromEntries(hashes) },
});
