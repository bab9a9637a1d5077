import type { Connection } from "mongoose";
import { driverDb } from "../../shared/mongo";
import type { Reconciliation } from "../domain/reconciliation";

/** One comparison with the providers' books, as it was kept. */
export interface ReconciliationRun extends Reconciliation {
  id: string;
  startedAt: Date;
  /** How many breaks of each class there were; `breaks` may hold fewer. */
  classes: Readonly<Record<string, number>>;
}

interface RunRecord extends Omit<ReconciliationRun, "id"> {
  _id: string;
}

export interface ReconciliationStore {
  init(): Promise<void>;
  add(run: ReconciliationRun): Promise<void>;
  /** The newest runs, the newest first. */
  latest(limit: number): Promise<ReconciliationRun[]>;
}

const keptDays = 90;
/** Breaks of one run that are kept. More of them have one cause, and the first ones name it. */
const maxBreaks = 200;

/** Comparisons with the providers' books, kept for 90 days. */
export function makeReconciliationStore(connection: Connection): ReconciliationStore {
  const runs = driverDb(connection).collection<RunRecord>("reconciliations");
  return {
    async init() {
      await connection.createCollection("reconciliations");
      await runs.createIndex({ startedAt: 1 }, { expireAfterSeconds: keptDays * 86_400 });
    },
    async add({ id, breaks, ...run }) {
      await runs.insertOne({ _id: id, ...run, breaks: breaks.slice(0, maxBreaks) });
    },
    async latest(limit) {
      const found = await runs.find({}).sort({ startedAt: -1 }).limit(limit).toArray();
      return found.map(({ _id, ...run }) => ({ ...run, id: _id }));
    },
  };
}
