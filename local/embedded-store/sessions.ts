import { CommandError } from "./errors";
import type { Database } from "./storage/database";
import type { Transaction } from "./storage/transaction";
import type { Transactions } from "./storage/transactions";
import { type Doc, decode, isBinary, isDoc, isLong } from "./values/bson";
import { toSafeInteger } from "./values/numbers";

/** A session remembers the number of its last write or transaction, so that a repeat has the same answer. */
export interface Session {
  id: string;
  number: bigint;
  /** The transaction of this number: under way, or how it ended. */
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
  const numbers = transactionNumbers(transactions);

  function load(id: string): Session {
    const retry = database.getRetry(Buffer.from(id, "hex"));
    const session: Session = {
      id,
      number: retry?.number ?? -1n,
      state: retry?.isCommit === true ? "committed" : "none",
      transaction: undefined,
      reply: retry === undefined || retry.isCommit ? undefined : decode(retry.reply),
      usedAt: Date.now(),
    };
    sessions.set(id, session);
    return session;
  }

  function get(id: string): Session {
    const session = sessions.get(id) ?? load(id);
    session.usedAt = Date.now();
    return session;
  }

  const { abort } = numbers;
  return {
    ...numbers,
    get,
    end(id: string): void {
      const session = sessions.get(id);
      if (session !== undefined) abort(session);
      sessions.delete(id);
    },
    endAll(): void {
      for (const session of sessions.values()) abort(session);
      sessions.clear();
    },
    /** Ends what clients have left behind: transactions past their limit, and sessions that nobody uses. */
    reap(now: number): void {
      for (const session of sessions.values()) {
        if (session.transaction !== undefined && now - session.transaction.startedAt > transactionLimitMs)
          abort(session);
        if (now - session.usedAt > sessionTimeoutMs) sessions.delete(session.id);
      }
      if (now - prunedAt < pruneEveryMs) return;
      prunedAt = now;
      database.startWriting();
      database.pruneRetries(now - sessionTimeoutMs);
    },
  };
}

/** The rules of transaction numbers within one session. */
function transactionNumbers(transactions: Transactions) {
  function abort(session: Session): void {
    if (session.transaction !== undefined) transactions.abort(session.transaction);
    if (session.state === "open") session.state = "aborted";
    session.transaction = undefined;
  }

  /** Moves the session to a newer number; what was open under the old one is aborted. */
  function advance(session: Session, number: bigint): void {
    if (number < session.number) {
      throw new CommandError(
        "TransactionTooOld",
        `Cannot start transaction ${number} on session because a newer transaction ${session.number} has already started.`,
      );
    }
    if (number === session.number) return;
    abort(session);
    session.number = number;
    session.state = "none";
    session.reply = undefined;
  }

  function begin(session: Session, number: bigint): Transaction {
    if (number === session.number) {
      throw new CommandError(
        "ConflictingOperationInProgress",
        `a transaction or write with number ${number} exists already`,
      );
    }
    advance(session, number);
    session.transaction = transactions.begin(false);
    session.state = "open";
    return session.transaction;
  }

  /** The open transaction of this number. */
  function requireOpen(session: Session, number: bigint): Transaction {
    advanceCheck(session, number);
    if (session.transaction?.state === "aborted") abort(session);
    if (session.state === "committed") {
      throw new CommandError("TransactionCommitted", `Transaction ${number} has been committed.`);
    }
    if (session.transaction === undefined) throw noSuchTransaction(number);
    return session.transaction;
  }

  function advanceCheck(session: Session, number: bigint): void {
    if (number < session.number)
      throw new CommandError("TransactionTooOld", `Transaction ${number} is older than ${session.number}.`);
    if (number > session.number) throw noSuchTransaction(number);
  }

  return { abort, advance, begin, requireOpen };
}

export function noSuchTransaction(number: bigint): CommandError {
  return new CommandError(
    "NoSuchTransaction",
    `Given transaction number ${number} does not match any in-progress transactions.`,
  );
}

/** The id of a logical session, as hexadecimal text. */
export function sessionIdOf(lsid: unknown): string | undefined {
  if (lsid === undefined) return undefined;
  const id = isDoc(lsid) ? lsid["id"] : undefined;
  if (!isBinary(id)) throw new CommandError("TypeMismatch", "lsid needs a UUID in its field id");
  return Buffer.from(id.value()).toString("hex");
}

export function transactionNumberOf(value: unknown): bigint | undefined {
  if (value === undefined) return undefined;
  const number = isLong(value) ? value.toBigInt() : toSafeInteger(value);
  if (number === undefined || number < 0)
    throw new CommandError("InvalidOptions", "txnNumber must be a long that is not negative");
  return BigInt(number);
}
