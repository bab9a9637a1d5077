import type { SQLOutputValue } from "node:sqlite";
import type { Database } from "./database";

const instructionStatuses = ["PREPARED", "RELEASED", "PAID", "REJECTED", "REFUSED", "CANCELLED"] as const;
export type InstructionStatus = (typeof instructionStatuses)[number];

/** What a rail knows about one instruction. Times are ISO 8601; an amount is the decimal text that was sent. */
export interface Instruction {
  reference: string;
  railId: string;
  rail: string;
  status: InstructionStatus;
  /** Null in a tombstone: the reference was cancelled before any instruction came. The three fields below too. */
  contentHash: string | null;
  amount: string | null;
  currency: string | null;
  key: string | null;
  endToEndId: string | null;
  reasonCode: string | null;
  reason: string | null;
  prepareCalls: number;
  releaseCalls: number;
  /** Irrevocable effects. More than one would be a bug of the rail that must be seen. */
  releases: number;
  createdAt: string;
  releasedAt: string | null;
  paidAt: string | null;
}

/** One message to the platform. `body` is sent unchanged on each attempt; `attempts` counts the finished ones. */
export interface Callback {
  eventId: string;
  reference: string;
  status: InstructionStatus;
  body: string;
  attempts: number;
  deliveredAt: string | null;
}

/** The durable book of instructions and of the callbacks that they caused. Its writes belong inside `Database.write`. */
export interface Book {
  find(reference: string): Instruction | undefined;
  /** Every instruction, or the one with the reference, oldest first. */
  list(reference: string | undefined): Instruction[];
  withStatus(rail: string, status: InstructionStatus): Instruction[];
  save(instruction: Instruction): void;
  callbacksOf(reference: string): Callback[];
  undelivered(): Callback[];
  saveCallback(callback: Callback): void;
}

type Row = Record<string, SQLOutputValue>;

const schema = `
  CREATE TABLE IF NOT EXISTS instructions (
    reference TEXT PRIMARY KEY, railId TEXT NOT NULL, rail TEXT NOT NULL, status TEXT NOT NULL, contentHash TEXT,
    amount TEXT, currency TEXT, key TEXT, endToEndId TEXT, reasonCode TEXT, reason TEXT, prepareCalls INTEGER NOT NULL,
    releaseCalls INTEGER NOT NULL, releases INTEGER NOT NULL, createdAt TEXT NOT NULL, releasedAt TEXT, paidAt TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS instructionsByStatus ON instructions (rail, status);
  CREATE TABLE IF NOT EXISTS callbacks (
    eventId TEXT PRIMARY KEY, reference TEXT NOT NULL, status TEXT NOT NULL, body TEXT NOT NULL,
    attempts INTEGER NOT NULL, deliveredAt TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS callbacksByReference ON callbacks (reference);
  CREATE INDEX IF NOT EXISTS callbacksUndelivered ON callbacks (eventId) WHERE deliveredAt IS NULL;
`;

const upsertInstruction = `
  INSERT INTO instructions VALUES (
    @reference, @railId, @rail, @status, @contentHash, @amount, @currency, @key, @endToEndId, @reasonCode, @reason,
    @prepareCalls, @releaseCalls, @releases, @createdAt, @releasedAt, @paidAt
  ) ON CONFLICT (reference) DO UPDATE SET
    status = @status, endToEndId = @endToEndId, reasonCode = @reasonCode, reason = @reason,
    prepareCalls = @prepareCalls, releaseCalls = @releaseCalls, releases = @releases, releasedAt = @releasedAt,
    paidAt = @paidAt
`;

const upsertCallback = `
  INSERT INTO callbacks VALUES (@eventId, @reference, @status, @body, @attempts, @deliveredAt)
  ON CONFLICT (eventId) DO UPDATE SET attempts = @attempts, deliveredAt = @deliveredAt
`;

/** Makes the book in an open database. */
export function makeBook({ sql }: Database): Book {
  sql.exec(schema);
  const one = sql.prepare("SELECT * FROM instructions WHERE reference = ?");
  const all = sql.prepare("SELECT * FROM instructions ORDER BY rowid");
  const byStatus = sql.prepare("SELECT * FROM instructions WHERE rail = ? AND status = ? ORDER BY rowid");
  const insertInstruction = sql.prepare(upsertInstruction);
  const callbacks = sql.prepare("SELECT * FROM callbacks WHERE reference = ? ORDER BY rowid");
  const pending = sql.prepare("SELECT * FROM callbacks WHERE deliveredAt IS NULL ORDER BY rowid");
  const insertCallback = sql.prepare(upsertCallback);

  return {
    find(reference) {
      const row = one.get(reference);
      return row === undefined ? undefined : toInstruction(row);
    },
    list: (reference) => (reference === undefined ? all.all() : one.all(reference)).map(toInstruction),
    withStatus: (rail, status) => byStatus.all(rail, status).map(toInstruction),
    save(instruction) {
      insertInstruction.run({ ...instruction });
    },
    callbacksOf: (reference) => callbacks.all(reference).map(toCallback),
    undelivered: () => pending.all().map(toCallback),
    saveCallback(callback) {
      insertCallback.run({ ...callback });
    },
  };
}

const text = (value: SQLOutputValue | undefined): string => String(value);
const optionalText = (value: SQLOutputValue | undefined): string | null => (typeof value === "string" ? value : null);
const count = (value: SQLOutputValue | undefined): number => (typeof value === "number" ? value : 0);

function toStatus(value: SQLOutputValue | undefined): InstructionStatus {
  const status = instructionStatuses.find((candidate) => candidate === value);
  if (status === undefined) throw new Error(`the book holds an unknown status ${text(value)}`);
  return status;
}

const toInstruction = (row: Row): Instruction => ({
  reference: text(row["reference"]),
  railId: text(row["railId"]),
  rail: text(row["rail"]),
  status: toStatus(row["status"]),
  contentHash: optionalText(row["contentHash"]),
  amount: optionalText(row["amount"]),
  currency: optionalText(row["currency"]),
  key: optionalText(row["key"]),
  endToEndId: optionalText(row["endToEndId"]),
  reasonCode: optionalText(row["reasonCode"]),
  reason: optionalText(row["reason"]),
  prepareCalls: count(row["prepareCalls"]),
  releaseCalls: count(row["releaseCalls"]),
  releases: count(row["releases"]),
  createdAt: text(row["createdAt"]),
  releasedAt: optionalText(row["releasedAt"]),
  paidAt: optionalText(row["paidAt"]),
});

const toCallback = (row: Row): Callback => ({
  eventId: text(row["eventId"]),
  reference: text(row["reference"]),
  status: toStatus(row["status"]),
  body: text(row["body"]),
  attempts: count(row["attempts"]),
  deliveredAt: optionalText(row["deliveredAt"]),
});
