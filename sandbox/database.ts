import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The durable file under everything that the sandbox remembers. */
export interface Database {
  /** For reading, and for writing inside `write` only. */
  sql: DatabaseSync;
  /**
   * Runs `work` in a transaction and resolves once it is on disk. Work that arrives in the same turn of the event loop
   * shares one transaction, in order, and so one disk sync; work that throws undoes only itself.
   */
  write<T>(work: () => T): Promise<T>;
  /** Called inside `write`: runs `work` once what is being written is on disk, and never if that fails. */
  afterCommit(work: () => void): void;
  /** Finishes what was handed to `write`, then closes the file. */
  close(): Promise<void>;
}

interface Job {
  /** False when the work threw and was undone. */
  run(): boolean;
  settle(): void;
  fail(error: unknown): void;
}

/** Opens or makes the database in `dir`. A process that is killed loses nothing that `write` has resolved. */
export function openDatabase(dir: string): Database {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const sql = new DatabaseSync(join(dir, "sandbox.db"));
  // What undoes a part of a transaction stays in memory: under a root that cannot be written there is no place for temporary files.
  sql.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY",
  );
  let jobs: Job[] = [];
  let committed: (() => void)[] = [];

  const commit = (): void => {
    const batch = jobs;
    jobs = [];
    committed = [];
    try {
      sql.exec("BEGIN IMMEDIATE");
      for (const job of batch) {
        const before = committed.length;
        if (!job.run()) committed.length = before;
      }
      sql.exec("COMMIT");
    } catch (error) {
      if (sql.isOpen && sql.isTransaction) sql.exec("ROLLBACK");
      for (const job of batch) job.fail(error);
      return;
    }
    for (const work of committed) work();
    for (const job of batch) job.settle();
  };

  const write = <T>(work: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (jobs.length === 0) setImmediate(commit);
      jobs.push(makeJob(sql, work, resolve, reject));
    });

  return {
    sql,
    write,
    afterCommit(work) {
      committed.push(work);
    },
    async close() {
      await write(() => undefined);
      sql.close();
    },
  };
}

function makeJob<T>(
  sql: DatabaseSync,
  work: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Job {
  let settle = (): void => undefined;
  return {
    run() {
      sql.exec("SAVEPOINT job");
      try {
        const value = work();
        settle = () => resolve(value);
        sql.exec("RELEASE job");
        return true;
      } catch (error) {
        // An error of the disk has undone the whole transaction already: nothing of the batch is kept, and this is why.
        if (!sql.isTransaction) throw error;
        sql.exec("ROLLBACK TO job; RELEASE job");
        settle = () => reject(error);
        return false;
      }
    },
    settle: () => settle(),
    fail: reject,
  };
}
