import type { Context, Server } from "./commands/context";
import { CommandError } from "./errors";
import { noSuchTransaction, sessionIdOf, transactionNumberOf } from "./sessions";
import { type Doc, encode } from "./values/bson";
import type { Reply } from "./wire/frame";

/** How a command belongs to a session: to a transaction, as a write that may be repeated, or not at all. */
export type Identity =
  | { kind: "plain" }
  | { kind: "retryable"; sessionId: string; number: bigint }
  | { kind: "transaction"; sessionId: string; number: bigint; isFirst: boolean };

export function identityOf(command: Doc): Identity {
  const sessionId = sessionIdOf(command["lsid"]);
  const number = transactionNumberOf(command["txnNumber"]);
  const { autocommit, startTransaction } = command;
  if (number === undefined) {
    if (autocommit !== undefined || startTransaction !== undefined) {
      throw new CommandError("InvalidOptions", "'autocommit' and 'startTransaction' need a txnNumber");
    }
    return { kind: "plain" };
  }
  if (sessionId === undefined)
    throw new CommandError("InvalidOptions", "Transaction number requires a session ID to be specified");
  if (autocommit === undefined) return { kind: "retryable", sessionId, number };
  if (autocommit !== false)
    throw new CommandError("InvalidOptions", "txnNumber may only be used with autocommit: false");
  return { kind: "transaction", sessionId, number, isFirst: startTransaction === true };
}

interface Executed {
  reply: Reply;
  position: number;
}

type ContextFor = (transaction: Context["transaction"]) => Context;
type Work = (context: Context) => Reply;

/** One statement of a client's transaction. Any error in it, also of a single document, ends the transaction. */
export function inTransaction(
  server: Server,
  identity: Identity & { kind: "transaction" },
  contextFor: ContextFor,
  work: Work,
): Executed {
  const { sessions } = server;
  const session = sessions.get(identity.sessionId);
  const transaction = identity.isFirst
    ? sessions.begin(session, identity.number)
    : sessions.requireOpen(session, identity.number);
  try {
    const context = contextFor(transaction);
    const reply = work(context);
    if (reply.body["writeErrors"] !== undefined) sessions.abort(session);
    return { reply, position: context.position };
  } catch (error) {
    sessions.abort(session);
    throw error;
  }
}

type FaultClass = new (message: string) => Error;

/** A write that the driver may send again: its reply is committed with it, and the repeat gets that reply. */
export function retryable(
  server: Server,
  identity: Identity & { kind: "retryable" },
  contextFor: ContextFor,
  work: Work,
  Fault: FaultClass,
): Executed {
  const { sessions, transactions, database } = server;
  const session = sessions.get(identity.sessionId);
  sessions.advance(session, identity.number);
  if (session.reply !== undefined) return { reply: { body: session.reply }, position: database.position() };
  if (session.state !== "none") {
    throw new CommandError("ConflictingOperationInProgress", `number ${identity.number} belongs to a transaction`);
  }
  const before = database.position();
  const context = contextFor(transactions.begin(true));
  try {
    const reply = work(context);
    const fault = server.failPoints?.onRetryableWrite();
    if (fault?.codeBeforeCommit !== undefined) {
      if (fault.closeConnection) throw new Fault("failpoint");
      throw new CommandError(fault.codeBeforeCommit, "failing before the commit, as ordered");
    }
    transactions.commit(context.transaction, () => {
      const record = { number: identity.number, isCommit: false, reply: encode(reply.body) };
      database.putRetry(Buffer.from(identity.sessionId, "hex"), record, Date.now());
    });
    session.reply = reply.body;
    if (fault?.closeConnection === true) throw new Fault("failpoint");
    const after = database.position();
    return { reply, position: after > before ? after : context.position };
  } catch (error) {
    transactions.abort(context.transaction);
    throw error;
  }
}

/** Commits or aborts, and gives the position to wait for. A repeated commit finds the first one's mark. */
export function finishTransaction(
  server: Server,
  name: "commitTransaction" | "abortTransaction",
  identity: Identity,
): number {
  if (identity.kind !== "transaction") throw new CommandError("InvalidOptions", `${name} needs autocommit: false`);
  const { sessions, transactions, database } = server;
  const session = sessions.get(identity.sessionId);
  if (name === "commitTransaction" && session.number === identity.number && session.state === "committed") {
    return database.position();
  }
  const transaction = sessions.requireOpen(session, identity.number);
  if (name === "abortTransaction") {
    sessions.abort(session);
    return 0;
  }
  const before = database.position();
  const seen = Math.max(0, ...[...transaction.used].map(({ lastWrite }) => lastWrite));
  try {
    transactions.commit(transaction, () => {
      const record = { number: identity.number, isCommit: true, reply: encode({}) };
      database.putRetry(Buffer.from(identity.sessionId, "hex"), record, Date.now());
    });
  } catch (error) {
    sessions.abort(session);
    throw error;
  }
  if (transaction.state !== "committed") throw noSuchTransaction(identity.number);
  session.state = "committed";
  session.transaction = undefined;
  const after = database.position();
  return after > before ? after : seen;
}
