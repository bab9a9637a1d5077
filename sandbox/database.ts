import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The database file of the sandbox. */
export interface Database {
  /** For reading, and for writing inside `write` only. */
  sql: DatabaseSync;
  /**
   * Runs `work` in a transaction and resolves once it is on disk. Work that arrives in the same turn of the event loop
   * shares one transaction, in order, and one disk sync; work that throws is undone alone.
   */
  write<T>(work: () => T): Promise<T>;
  /** Called inside `write`: runs `work` once the write is on disk, and never if it fails. */
  afterCommit(work: () => void): void;
  /** Finishes pending writes, then closes the file. */
  close(): Promise<void>;
}

interface Job {
  /** False when the work threw and was undone. */
  run(): boolean;
  settle(): void;
  fail(error: unknown): void;
}

/** Opens or creates the database in `dir`. A killed process loses nothing once `write` has resolved. */
export function openDatabase(dir: string): Database {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const sql = new DatabaseSync(join(dir, "sandbox.db"));
  // Keeps rollback data in memory: a read-only root file system has no place for temporary files.
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
        // A disk error has already undone the whole transaction: the batch is lost, and this error is the cause.
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
