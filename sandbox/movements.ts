import type { SQLOutputValue } from "node:sqlite";
import type { Clock } from "../services/shared/kernel/clock";
import type { Ids } from "../services/shared/kernel/ids";
import type { Database } from "./database";
import type { Faults } from "./faults";
import type { ScheduledJobs } from "./scheduled-jobs";

export const movementKinds = [
  "CAPTURE",
  "REFUND",
  "RETURN",
  "CHARGEBACK",
  "PAYOUT",
  "PAYOUT_RETURN",
  "FEE",
  "DEPOSIT",
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** Money moved at a provider, as answers and callbacks name it. The amount is decimal text, the time ISO 8601. */
export interface Movement {
  movementId: string;
  amount: string;
  currency: string;
  at: string;
}

/** A movement to book: its order and its kind. */
export interface MovementOrder {
  provider: string;
  reference: string;
  kind: MovementKind;
  amount: string;
  currency: string;
}

export type BookedMovement = MovementOrder & Movement;

/** One line of a provider's statement. A provider's sequence numbers have no gaps except those that a rule makes. */
export interface StatementLine extends MovementOrder {
  sequence: number;
  lineId: string;
  movementId: string;
  bookedAt: string;
  valueDate: string;
}

/** The record of money at every provider: actual movements, and the statement lines about them. */
export interface Movements {
  /** Called inside `Database.write`: books a movement and writes its statement line, subject to rules. */
  book(order: MovementOrder): Movement;
  list(reference?: string): BookedMovement[];
  /** Lines after a sequence number, oldest first. */
  lines(provider: string, after: number, limit: number): StatementLine[];
  /** Lines booked on a day, UTC. */
  day(provider: string, date: string): StatementLine[];
}

const schema = `
  CREATE TABLE IF NOT EXISTS movements (
    movementId TEXT PRIMARY KEY, provider TEXT NOT NULL, reference TEXT NOT NULL, kind TEXT NOT NULL,
    amount TEXT NOT NULL, currency TEXT NOT NULL, at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS movementsByReference ON movements (reference);
  CREATE TABLE IF NOT EXISTS statementSequences (provider TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS statementLines (
    provider TEXT NOT NULL, sequence INTEGER NOT NULL, lineId TEXT NOT NULL, reference TEXT NOT NULL,
    movementId TEXT NOT NULL, kind TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL,
    bookedAt TEXT NOT NULL, valueDate TEXT NOT NULL, PRIMARY KEY (provider, sequence)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS statementLinesByDay ON statementLines (provider, bookedAt);
`;
const lateDuty = "statement-line";

interface MovementDeps {
  database: Database;
  clock: Clock;
  ids: Ids;
  jobs: ScheduledJobs;
  faults: Faults;
}

export function openMovements({ database, clock, ids, jobs, faults }: MovementDeps): Movements {
  const { sql } = database;
  sql.exec(schema);
  const insert = sql.prepare("INSERT INTO movements VALUES (?, ?, ?, ?, ?, ?, ?)");
  const every = sql.prepare("SELECT * FROM movements ORDER BY rowid");
  const some = sql.prepare("SELECT * FROM movements WHERE reference = ? ORDER BY rowid");
  const one = sql.prepare("SELECT * FROM movements WHERE movementId = ?");
  const next = sql.prepare(
    "INSERT INTO statementSequences VALUES (?, 1) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last",
  );
  const insertLine = sql.prepare("INSERT INTO statementLines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const after = sql.prepare(
    "SELECT * FROM statementLines WHERE provider = ? AND sequence > ? ORDER BY sequence LIMIT ?",
  );
  const daily = sql.prepare(
    "SELECT * FROM statementLines WHERE provider = ? AND bookedAt >= ? AND bookedAt < ? ORDER BY sequence",
  );
  const nextSequence = (provider: string): number => Number(next.get(provider)?.["last"]);
  const writeLine = ({ provider, reference, movementId, kind, at, ...money }: BookedMovement): void => {
    const lineId = `LN-${ids.uuid()}`;
    const { amount, currency } = money;
    const day = at.slice(0, 10);
    insertLine.run(provider, nextSequence(provider), lineId, reference, movementId, kind, amount, currency, at, day);
  };
  jobs.on(lateDuty, (movementId) => {
    const row = one.get(movementId);
    if (row !== undefined) writeLine(toMovement(row));
  });
  return {
    book(order) {
      const { provider, reference, kind, amount, currency } = order;
      const movement: Movement = {
        movementId: `MOV-${ids.uuid()}`,
        amount,
        currency,
        at: clock.now().toISOString(),
      };
      const { movementId, at } = movement;
      insert.run(movementId, provider, reference, kind, amount, currency, at);
      const { line } = faults.take({ provider, step: "statement", reference });
      const shown = { ...order, ...movement, ...line?.change };
      if (line?.is === "missing") nextSequence(provider);
      else if (line?.is === "late") jobs.add(lateDuty, movementId, line.afterSeconds * 1_000);
      else writeLine(shown);
      if (line?.is === "doubled") writeLine(shown);
      return movement;
    },
    list: (reference) => (reference === undefined ? every.all() : some.all(reference)).map(toMovement),
    lines: (provider, sequence, limit) => after.all(provider, sequence, limit).map(toLine),
    day: (provider, date) => daily.all(provider, date, `${date}T99`).map(toLine),
  };
}

type Row = Record<string, SQLOutputValue>;

const word = (row: Row, name: string): string => String(row[name]);

const kindOf = (row: Row): MovementKind => {
  const found = movementKinds.find((kind) => kind === row["kind"]);
  if (found === undefined) throw new Error("the book holds a movement without a kind");
  return found;
};

const toMovement = (row: Row): BookedMovement => ({
  provider: word(row, "provider"),
  reference: word(row, "reference"),
  kind: kindOf(row),
  movementId: word(row, "movementId"),
  amount: word(row, "amount"),
  currency: word(row, "currency"),
  at: word(row, "at"),
});

const toLine = (row: Row): StatementLine => ({
  sequence: Number(row["sequence"]),
  lineId: word(row, "lineId"),
  provider: word(row, "provider"),
  reference: word(row, "reference"),
  movementId: word(row, "movementId"),
  kind: kindOf(row),
  amount: word(row, "amount"),
  currency: word(row, "currency"),
  bookedAt: word(row, "bookedAt"),
  valueDate: word(row, "valueDate"),
});
