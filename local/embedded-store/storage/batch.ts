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

/** Those who wait for a position to be durable. */
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

/** The transaction behind the log, which is open whenever no copy is made, and the part of it that can be undone. */
function makeFile(db: DatabaseSync) {
  const [begin, commit] = [db.prepare("BEGIN EXCLUSIVE"), db.prepare("COMMIT")];
  const [save, keep] = [db.prepare("SAVEPOINT part"), db.prepare("RELEASE part")];
  const undo = db.prepare("ROLLBACK TO part");
  const putMark = db.prepare("UPDATE mark SET mark = ?");
  return {
    begin: () => begin.run(),
    commit(mark: number): void {
      putMark.run(mark);
      commit.run();
    },
    startPart: () => save.run(),
    keepPart: () => keep.run(),
    undoPart(): void {
      undo.run();
      keep.run();
    },
  };
}

/** So much is in the redo log before it all goes into the database's own file; a start after a crash does it again. */
const mostLogBytes = 32 * 1024 * 1024;

/**
 * The open SQLite transaction, and who waits for its contents to survive a power loss. Writes of many commands are one
 * group of the redo log: it is written and synced when somebody waits, and everybody who waits shares that sync. The
 * transaction, which is open from the beginning, is committed when the log is full: a page that many commands have
 * changed is written once. Positions count writes.
 */
export function makeBatch(db: DatabaseSync, log: RedoLog, record: Record) {
  const file = makeFile(db);
  const waiters = makeWaiters();
  let written = 0;
  let durableUpTo = 0;
  let partStart = record.end();
  let isSyncing = false;
  const afterCheckpoint: (() => void)[] = [];
  let failure: Error | undefined;

  function serve(upTo: number): void {
    durableUpTo = upTo;
    waiters.serve(upTo);
  }

  /** Everything up to now goes into the database's file for good, so that the log can begin again. */
  function commitAll(): void {
    const mark = randomInt(2 ** 32);
    file.commit(mark);
    record.clear();
    log.restart(mark);
    serve(written);
  }

  /** `work` finds no open transaction. What it has copied has a mark under which nothing is ever logged. */
  function checkpoint(works: (() => void)[]): void {
    commitAll();
    for (const work of works) work();
    file.begin();
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

  /** Nobody knows what is on disk after a refused write, so nothing is promised any more; a start finds what was. */
  function fail(error: unknown): Error {
    failure ??= new Error(`the disk refused a commit: ${messageOf(error)}`, { cause: error });
    waiters.refuse(failure);
    return failure;
  }

  /** SQLite gives up a whole transaction on some errors; with it goes what was acknowledged and is only in the log. */
  function requireWhole(): void {
    if (failure === undefined && !db.isTransaction) fail(new Error("the transaction was given up"));
    if (failure !== undefined) throw failure;
  }

  function startWriting(): void {
    requireWhole();
    written += 1;
    if (isSyncing) return;
    isSyncing = true;
    // After the present turn of the event loop, so that all commands that have arrived share the group.
    setImmediate(() => void sync().catch(fail));
  }

  return {
    position: () => written,
    startWriting,
    /** What is written from here on can be undone until `keepPart`. One command at a time has such a part. */
    startPart(): void {
      startWriting();
      partStart = record.end();
      file.startPart();
    },
    /** Runs `work`, which must not throw, when no transaction is open and everything up to now is committed. */
    betweenCommits(work: () => void): void {
      startWriting();
      afterCheckpoint.push(work);
    },
    keepPart: file.keepPart,
    undoPart(): void {
      file.undoPart();
      record.cut(partStart);
    },
    /** Resolves when everything written up to this position survives a power loss. */
    durable(position: number): Promise<void> | undefined {
      requireWhole();
      return position <= durableUpTo ? undefined : waiters.wait(position);
    },
    /** The last commit: everything is in the database's file then. */
    end(): void {
      if (failure === undefined) commitAll();
    },
  };
}
