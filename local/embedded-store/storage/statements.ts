import type { DatabaseSync } from "node:sqlite";
import type { Operation, Record, Value } from "./record";

/** The operations in a record. The numbers are those of the redo log, so a change of them is a new format. */
export const codes = {
  insert: 1,
  patch: 2,
  remove: 3,
  putEntry: 4,
  deleteEntry: 5,
  putRetry: 6,
  pruneRetries: 7,
  putCollection: 8,
  deleteCollection: 9,
  deleteDocuments: 10,
  putIndex: 11,
  deleteIndex: 12,
  deleteEntries: 13,
  setMultikey: 14,
} as const;

type Code = (typeof codes)[keyof typeof codes];

export type Statements = ReturnType<typeof makeStatements>;

/** All changes of the database. They are recorded, and can be repeated from the record. */
export function makeStatements(db: DatabaseSync, record: Record) {
  const repeats = new Map<number, (values: Value[]) => void>();
  return {
    /** A statement that is recorded as it is run. */
    write(code: Code, sql: string): (...values: Value[]) => void {
      const statement = db.prepare(sql);
      repeats.set(code, (values) => statement.run(...values));
      return (...values) => {
        statement.run(...values);
        record.add(code, ...values);
      };
    },
    /** Only notes what was done by other means; `repeat` repeats it from the note. */
    special(code: Code, repeat: (values: Value[]) => void): (...values: Value[]) => void {
      repeats.set(code, repeat);
      return (...values) => record.add(code, ...values);
    },
    repeat({ code, values }: Operation): void {
      const run = repeats.get(code);
      if (run === undefined) throw new Error(`the redo log has an unknown operation ${code}`);
      run(values);
    },
  };
}
