import { randomInt } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../values/bson";
import type { Record } from "./record";
import type { RedoLog } from "./redo-log";

interface Waiter {
  position: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** Waiters for a position to become durable. */
function makeWaiters() {
  let waiters: Waiter[] = [];
  return {
    wait: (position: number) => new Promise<void>((resolve, reject) => waiters.push({ position, resolve, reject })),
    serve(upTo: number): void {
      const served = waiters.filter(({ position }) => position <= upTo);
      waiters = waiters.filter(({ position }) => position > upTo);
      for (const waiter of served) waiter.resolve();
    },
    refuse(error: Error): void {
      for (const waiter of waiters) waiter.reject(error);
      waiters = [];
    },
  };
}

/** A command's undoable writes. Only one command at a time has such a part. */
function makeParts(db: DatabaseSync, record: Record, startWriting: () => void) {
  const [save, keep] = [db.prepare("SAVEPOINT part"), db.prepare("RELEASE part")];
  const undo = db.prepare("ROLLBACK TO part");
  let start = record.end();
  return {
    /** Writes from here on can be undone until `keepPart`. */
    startPart(): void {
      startWriting();
      start = record.end();
      save.run();
    },
    keepPart: () => keep.run(),
    undoPart(): void {
      undo.run();
      keep.run();
      record.cut(start);
    },
  };
}

/** Whether promised writes are on disk. Once that is in doubt, nothing more is promised; the next start finds the truth. */
function makeTrust(db: DatabaseSync, onLoss: (error: Error) => void) {
  let failure: Error | undefined;

  function fail(error: unknown): void {
    failure ??= new Error(`the disk refused a commit: ${messageOf(error)}`, { cause: error });
    onLoss(failure);
  }

  return {
    fail,
    isLost: () => failure !== undefined,
    /** On some errors SQLite rolls back a whole transaction, with acknowledged writes that are only in the log. */
    require(): void {
      if (failure === undefined && !db.isTransaction) fail(new Error("the transaction was given up"));
      if (failure !== undefined) throw failure;
    },
  };
}

/** Size of the redo log at which everything moves to the database file; after a crash a start replays the log. */
const mostLogBytes = 64 * 1024 * 1024;

/**
 * The open SQLite transaction, and the waiters for its contents to become durable. Writes of many commands form one group of
 * the redo log, which is written and synced when there is a waiter; all waiters share that sync. The transaction, open from the
 * beginning, is committed when the log is full, so that a page changed by many commands is written once. Positions count
 * writes.
 */
export function makeBatch(db: DatabaseSync, log: RedoLog, record: Record) {
  const [begin, commit] = [db.prepare("BEGIN EXCLUSIVE"), db.prepare("COMMIT")];
  const putMark = db.prepare("UPDATE mark SET mark = ?");
  const waiters = makeWaiters();
  const trust = makeTrust(db, (error) => waiters.refuse(error));
  let written = 0;
  let durableUpTo = 0;
  let isSyncing = false;
  const afterCheckpoint: (() => void)[] = [];

  function serve(upTo: number): void {
    durableUpTo = upTo;
    waiters.serve(upTo);
  }

  /** Commits everything so far to the database file, so that the log can start again. */
  function commitAll(): void {
    const mark = randomInt(2 ** 32);
    putMark.run(mark);
    commit.run();
    record.clear();
    log.restart(mark);
    serve(written);
  }

  /** `work` finds no open transaction. Its copy has a mark under which nothing is ever logged. */
  function checkpoint(works: (() => void)[]): void {
    commitAll();
    for (const work of works) work();
    begin.run();
    if (works.length > 0) checkpoint([]);
  }

  checkpoint([]);

  async function sync(): Promise<void> {
    while (durableUpTo < written) {
      const upTo = written;
      if (!record.isEmpty()) {
        log.append(record.content());
        record.clear();
        await log.sync();
      }
      serve(upTo);
      if (log.size() >= mostLogBytes || afterCheckpoint.length > 0) checkpoint(afterCheckpoint.splice(0));
    }
    isSyncing = false;
  }

  function startWriting(): void {
    trust.require();
    written += 1;
    if (isSyncing) return;
    isSyncing = true;
    // After the current turn of the event loop, so that all arrived commands share the group.
    setImmediate(() => void sync().catch(trust.fail));
  }

  return {
    position: () => written,
    startWriting,
    ...makeParts(db, record, startWriting),
    /** Runs `work`, which must not throw, when no transaction is open and all writes so far are committed. */
    betweenCommits(work: () => void): void {
      startWriting();
      afterCheckpoint.push(work);
    },
    /** Resolves when everything written up to this position would survive a power loss. */
    durable(position: number): Promise<void> | undefined {
      trust.require();
      return position <= durableUpTo ? undefined : waiters.wait(position);
    },
    /** The last commit: everything is in the database's file then. */
    end(): void {
      if (!trust.isLost()) commitAll();
    },
  };
}
