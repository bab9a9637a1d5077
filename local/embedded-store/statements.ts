import type { Context, Server } from "./commands/context";
import { CommandError, demand } from "./errors";
import { ConnectionFault } from "./failpoints";
import { noSuchTransaction, sessionIdOf, transactionNumberOf } from "./sessions";
import { type Doc, encode } from "./values/bson";
import { toSafeInteger } from "./values/numbers";
import type { Reply } from "./wire/frame";

interface Numbered {
  sessionId: string;
  number: bigint;
}

/** How a command belongs to a session: to a transaction, as a write that may be repeated, or not at all. */
export type Identity =
  | { kind: "plain" }
  | (Numbered & { kind: "retryable" })
  | (Numbered & { kind: "transaction"; isFirst: boolean });

export function identityOf({ lsid, txnNumber, autocommit, startTransaction }: Doc): Identity {
  const sessionId = sessionIdOf(lsid);
  const number = transactionNumberOf(txnNumber);
  if (number === undefined) {
    const isPlain = autocommit === undefined && startTransaction === undefined;
    demand(isPlain, "InvalidOptions", "'autocommit' and 'startTransaction' need a txnNumber");
    return { kind: "plain" };
  }
  demand(sessionId !== undefined, "InvalidOptions", "Transaction number requires a session ID to be specified");
  if (autocommit === undefined) return { kind: "retryable", sessionId, number };
  demand(autocommit === false, "InvalidOptions", "txnNumber may only be used with autocommit: false");
  return { kind: "transaction", sessionId, number, isFirst: startTransaction === true };
}

/** A reply, and what has to be durable before it may be sent. */
export interface Executed {
  reply: Reply;
  position: number;
}

type Work = (transaction: Context["transaction"]) => Executed;

/** One statement of a client's transaction. Any error in it, also of a single document, ends the transaction. */
export function inTransaction(
  { sessions }: Server,
  { sessionId, number, isFirst }: Identity & { kind: "transaction" },
  work: Work,
): Executed {
  const session = sessions.get(sessionId);
  const transaction = isFirst ? sessions.begin(session, number) : sessions.requireOpen(session, number);
  try {
    const executed = work(transaction);
    if (hasRefused(executed.reply.body)) sessions.abort(session);
    return executed;
  } catch (error) {
    sessions.abort(session);
    throw error;
  }
}

/** True when a statement of the command was refused. */
const hasRefused = ({ writeErrors, nErrors }: Doc): boolean =>
  writeErrors !== undefined || (nErrors !== undefined && toSafeInteger(nErrors) !== 0);

/** A write that the driver may send again: its reply is committed with it, and the repeat gets that reply. */
export function retryable(server: Server, { sessionId, number }: Numbered, work: Work): Executed {
  const { sessions, database, failPoints } = server;
  const session = sessions.get(sessionId);
  sessions.advance(session, number);
  if (session.reply !== undefined) return { reply: { body: session.reply }, position: database.position() };
  const isFree = session.state === "none";
  demand(isFree, "ConflictingOperationInProgress", `number ${number} belongs to a transaction`);
  const fault = { closeConnection: false };
  const executed = alone(server, work, ({ body }) => {
    const { codeBeforeCommit, closeConnection = false } = failPoints?.onRetryableWrite() ?? {};
    if (codeBeforeCommit !== undefined && closeConnection) throw new ConnectionFault("failpoint");
    if (codeBeforeCommit !== undefined)
      throw new CommandError(codeBeforeCommit, "failing before the commit, as ordered");
    fault.closeConnection = closeConnection;
    return () => remember(server, { sessionId, number }, false, body);
  });
  session.reply = executed.reply.body;
  if (fault.closeConnection) throw new ConnectionFault("failpoint");
  return executed;
}

function remember({ database }: Server, { sessionId, number }: Numbered, isCommit: boolean, body: Doc): void {
  database.putRetry(Buffer.from(sessionId, "hex"), { number, isCommit, reply: encode(body) }, Date.now());
}

/** A command outside transactions: all of it is committed, or nothing. `before` gives what else the commit writes. */
export function alone(
  { transactions, database }: Server,
  work: Work,
  before: (reply: Reply) => () => void = () => () => {},
): Executed {
  const start = database.position();
  const transaction = transactions.begin(true);
  try {
    const { reply, position } = work(transaction);
    transactions.commit(transaction, before(reply));
    const end = database.position();
    return { reply, position: end > start ? end : position };
  } catch (error) {
    transactions.abort(transaction);
    throw error;
  }
}

/** Commits or aborts, and gives the position to wait for. A repeated commit finds the first one's mark. */
export function finishTransaction(server: Server, name: string, identity: Identity): number {
  demand(identity.kind === "transaction", "InvalidOptions", `${name} needs autocommit: false`);
  const { sessions, transactions, database } = server;
  const session = sessions.get(identity.sessionId);
  const isRepeated = session.number === identity.number && session.state === "committed";
  if (name === "commitTransaction" && isRepeated) return database.position();
  const transaction = sessions.requireOpen(session, identity.number);
  if (name === "abortTransaction") {
    sessions.abort(session);
    return 0;
  }
  const start = database.position();
  const seen = Math.max(0, ...[...transaction.used].map(({ lastWrite }) => lastWrite));
  try {
    transactions.commit(transaction, () => remember(server, identity, true, {}));
  } catch (error) {
    sessions.abort(session);
    throw error;
  }
  if (transaction.state !== "committed") throw noSuchTransaction(identity.number);
  Object.assign(session, { state: "committed", transaction: undefined });
  const end = database.position();
  return end > start ? end : seen;
}
