import type { SQLOutputValue } from "node:sqlite";
import type { Database } from "./database";

/** One message to the platform. `body` is sent unchanged on each attempt; `attempts` counts the finished ones. */
export interface Callback {
  id: number;
  provider: string;
  /** Copies of one event have the same. */
  eventId: string;
  reference: string;
  status: string;
  body: string;
  attempts: number;
  deliveredAt: string | null;
}

/** The durable record of callbacks to the platform. Its writes belong inside `Database.write`. */
export interface CallbackBook {
  add(callback: Pick<Callback, "provider" | "eventId" | "reference" | "status" | "body">): Callback;
  update(callback: Callback): void;
  of(provider: string, reference: string): Callback[];
  undelivered(): Callback[];
}

const schema = `
  CREATE TABLE IF NOT EXISTS callbacks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, provider TEXT NOT NULL, eventId TEXT NOT NULL, reference TEXT NOT NULL,
    status TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL, deliveredAt TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS callbacksByReference ON callbacks (provider, reference);
  CREATE INDEX IF NOT EXISTS callbacksUndelivered ON callbacks (id) WHERE deliveredAt IS NULL;
`;

/** Opens the book in an open database. */
export function openCallbackBook({ sql }: Database): CallbackBook {
  sql.exec(schema);
  const insert = sql.prepare(
    "INSERT INTO callbacks (provider, eventId, reference, status, body, attempts) VALUES (?, ?, ?, ?, ?, 0)",
  );
  const update = sql.prepare("UPDATE callbacks SET attempts = ?, deliveredAt = ? WHERE id = ?");
  const byReference = sql.prepare("SELECT * FROM callbacks WHERE provider = ? AND reference = ? ORDER BY id");
  const pending = sql.prepare("SELECT * FROM callbacks WHERE deliveredAt IS NULL ORDER BY id");
  return {
    add(callback) {
      const { provider, eventId, reference, status, body } = callback;
      const { lastInsertRowid } = insert.run(provider, eventId, reference, status, body);
      return { ...callback, id: Number(lastInsertRowid), attempts: 0, deliveredAt: null };
    },
    update({ attempts, deliveredAt, id }) {
      update.run(attempts, deliveredAt, id);
    },
    of: (provider, reference) => byReference.all(provider, reference).map(toCallback),
    undelivered: () => pending.all().map(toCallback),
  };
}

const text = (value: SQLOutputValue | undefined): string => String(value);

const toCallback = (row: Record<string, SQLOutputValue>): Callback => ({
  id: Number(row["id"]),
  provider: text(row["provider"]),
  eventId: text(row["eventId"]),
  reference: text(row["reference"]),
  status: text(row["status"]),
  body: text(row["body"]),
  attempts: Number(row["attempts"]),
  deliveredAt: typeof row["deliveredAt"] === "string" ? row["deliveredAt"] : null,
});
