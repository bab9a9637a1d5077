import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { messageOf } from "../values/bson";

const fdatasync = promisify(fs.fdatasync);

interface Waiter {
  position: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The open SQLite transaction, and who waits for it to be on disk. Writes of many commands share one: it is committed and
 * the write-ahead log is synced when somebody waits, and everybody who waits shares that sync. Positions count writes.
 */
export function makeBatch(db: DatabaseSync, log: number) {
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  const [save, keep] = [db.prepare("SAVEPOINT part"), db.prepare("RELEASE part")];
  const undo = db.prepare("ROLLBACK TO part");
  let isOpen = false;
  let written = 0;
  let durableUpTo = 0;
  let isSyncing = false;
  let waiters: Waiter[] = [];
  const afterCommit: (() => void)[] = [];
  let failure: Error | undefined;

  async function sync(): Promise<void> {
    while (isOpen) {
      commit.run();
      isOpen = false;
      for (const work of afterCommit.splice(0)) work();
      const upTo = written;
      await fdatasync(log);
      durableUpTo = upTo;
      const served = waiters.filter(({ position }) => position <= upTo);
      waiters = waiters.filter(({ position }) => position > upTo);
      for (const waiter of served) waiter.resolve();
    }
    isSyncing = false;
  }

  /** After a failed commit nobody can know what is on disk, so nothing is promised any more. */
  function fail(error: unknown): void {
    failure = new Error(`the disk refused a commit: ${messageOf(error)}`, { cause: error });
    for (const waiter of waiters) waiter.reject(failure);
    waiters = [];
  }

  function startWriting(): void {
    if (failure !== undefined) throw failure;
    if (!isOpen) begin.run();
    isOpen = true;
    written += 1;
    if (isSyncing) return;
    isSyncing = true;
    // After the present turn of the event loop, so that all commands that have arrived share the commit.
    setImmediate(() => void sync().catch(fail));
  }

  return {
    position: () => written,
    startWriting,
    /** What is written from here on can be undone until `keepPart`. One command at a time has such a part. */
    startPart(): void {
      startWriting();
      save.run();
    },
    /** Runs `work`, which must not throw, when no transaction is open and everything up to now is committed. */
    betweenCommits(work: () => void): void {
      startWriting();
      afterCommit.push(work);
    },
    keepPart: () => keep.run(),
    undoPart(): void {
      undo.run();
      keep.run();
    },
    /** Resolves when everything written up to this position survives a power loss. */
    durable(position: number): Promise<void> | undefined {
      if (position <= durableUpTo) return undefined;
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => waiters.push({ position, resolve, reject }));
    },
  };
}
