import { CommandError, demand } from "./errors";
import type { Database } from "./storage/database";
import type { Transaction } from "./storage/transaction";
import type { Transactions } from "./storage/transactions";
import { type Doc, decode, isBinary, isDoc, isLong } from "./values/bson";
import { toSafeInteger } from "./values/numbers";

/** A session stores the number of its last write or transaction, so that a repeat gets the same answer. */
export interface Session {
  id: string;
  number: bigint;
  /** The state of the transaction with this number. */
  state: "none" | "open" | "committed" | "aborted";
  transaction: Transaction | undefined;
  reply: Doc | undefined;
  usedAt: number;
}

export const sessionTimeoutMinutes = 30;
const sessionTimeoutMs = sessionTimeoutMinutes * 60_000;
/** Old replies are few, and removing them is a write. */
const pruneEveryMs = 60_000;

export type Sessions = ReturnType<typeof makeSessions>;

/** `transactionLimitMs` is how long a transaction may stay open, as MongoDB's transactionLifetimeLimitSeconds. */
export function makeSessions(database: Database, transactions: Transactions, transactionLimitMs: number) {
  const sessions = new Map<string, Session>();
  let prunedAt = Date.now();

  function get(id: string): Session {
    const session = sessions.get(id) ?? loadSession(database, id);
    sessions.set(id, session);
    session.usedAt = Date.now();
    return session;
  }

  function abort(session: Session): void {
    transactions.abort(session.transaction);
    if (session.state === "open") session.state = "aborted";
    session.transaction = undefined;
  }

  /** Moves the session to a newer number; aborts what was open under the old one. */
  function advance(session: Session, number: bigint): void {
    refuseOlder(session, number);
    if (number === session.number) return;
    abort(session);
    Object.assign(session, { number, state: "none", reply: undefined });
  }

  return {
    get,
    abort,
    advance,
    begin(session: Session, number: bigint): Transaction {
      const isNew = number !== session.number;
      demand(isNew, "ConflictingOperationInProgress", `a transaction or write with number ${number} exists already`);
      advance(session, number);
      session.state = "open";
      session.transaction = transactions.begin(false);
      return session.transaction;
    },
    /** The open transaction of this number. */
    requireOpen(session: Session, number: bigint): Transaction {
      refuseOlder(session, number);
      if (number > session.number) throw noSuchTransaction(number);
      if (session.transaction?.state === "aborted") abort(session);
      const isOver = session.state === "committed";
      demand(!isOver, "TransactionCommitted", `Transaction ${number} has been committed.`);
      if (session.transaction === undefined) throw noSuchTransaction(number);
      return session.transaction;
    },
    end(id: string): void {
      const session = sessions.get(id);
      if (session !== undefined) abort(session);
      sessions.delete(id);
    },
    endAll(): void {
      for (const session of sessions.values()) abort(session);
      sessions.clear();
    },
    /** Ends what clients have left behind: transactions past their limit, and unused sessions. */
    reap(now: number): void {
      for (const session of sessions.values()) {
        if (now - (session.transaction?.startedAt ?? now) > transactionLimitMs) abort(session);
        if (now - session.usedAt > sessionTimeoutMs) sessions.delete(session.id);
      }
      if (now - prunedAt < pruneEveryMs) return;
      prunedAt = now;
      database.startWriting();
      database.pruneRetries(now - sessionTimeoutMs);
    },
  };
}

function loadSession(database: Database, id: string): Session {
  const retry = database.getRetry(Buffer.from(id, "hex"));
  const { number, isCommit, reply } = retry ?? { number: -1n, isCommit: false, reply: undefined };
  return {
    id,
    number,
    state: isCommit ? "committed" : "none",
    transaction: undefined,
    reply: reply === undefined || isCommit ? undefined : decode(reply),
    usedAt: 0,
  };
}

function refuseOlder(session: Session, number: bigint): void {
  const isOlder = number < session.number;
  const message = `Cannot start transaction ${number} on session because a newer transaction ${session.number} has already started.`;
  demand(!isOlder, "TransactionTooOld", message);
}

export function noSuchTransaction(number: bigint): CommandError {
  const message = `Given transaction number ${number} does not match any in-progress transactions.`;
  return new CommandError("NoSuchTransaction", message);
}

/** The id of a logical session, as hexadecimal text. */
export function sessionIdOf(lsid: unknown): string | undefined {
  if (lsid === undefined) return undefined;
  const id = isDoc(lsid) ? lsid["id"] : undefined;
  demand(isBinary(id), "TypeMismatch", "lsid needs a UUID in its field id");
  return Buffer.from(id.value()).toString("hex");
}

export function transactionNumberOf(value: unknown): bigint | undefined {
  if (value === undefined) return undefined;
  const number = isLong(value) ? value.toBigInt() : toSafeInteger(value);
  demand(number !== undefined && number >= 0, "InvalidOptions", "txnNumber must be a long that is not negative");
  return BigInt(number);
}
