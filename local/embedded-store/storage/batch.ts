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

/** What a command writes and may undo. One command at a time has such a part. */
function makeParts(db: DatabaseSync, record: Record, startWriting: () => void) {
  const [save, keep] = [db.prepare("SAVEPOINT part"), db.prepare("RELEASE part")];
  const undo = db.prepare("ROLLBACK TO part");
  let start = record.end();
  return {
    /** What is written from here on can be undone until `keepPart`. */
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

/** Whether what is promised is on disk and seen. Once that is in doubt, nothing is promised any more; a start finds what was. */
function makeTrust(db: DatabaseSync, onLoss: (error: Error) => void) {
  let failure: Error | undefined;

  function fail(error: unknown): void {
    failure ??= new Error(`the disk refused a commit: ${messageOf(error)}`, { cause: error });
    onLoss(failure);
  }

  return {
    fail,
    isLost: () => failure !== undefined,
    /** SQLite gives up a whole transaction on some errors; with it goes what was acknowledged and is only in the log. */
    require(): void {
      if (failure === undefined && !db.isTransaction) fail(new Error("the transaction was given up"));
      if (failure !== undefined) throw failure;
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

  /** Everything up to now goes into the database's file for good, so that the log can begin again. */
  function commitAll(): void {
    const mark = randomInt(2 ** 32);
    putMark.run(mark);
    commit.run();
    record.clear();
    log.restart(mark);
    serve(written);
  }

  /** `work` finds no open transaction. What it has copied has a mark under which nothing is ever logged. */
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
    // After the present turn of the event loop, so that all commands that have arrived share the group.
    setImmediate(() => void sync().catch(trust.fail));
  }

  return {
    position: () => written,
    startWriting,
    ...makeParts(db, record, startWriting),
    /** Runs `work`, which must not throw, when no transaction is open and everything up to now is committed. */
    betweenCommits(work: () => void): void {
      startWriting();
      afterCheckpoint.push(work);
    },
    /** Resolves when everything written up to this position survives a power loss. */
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
