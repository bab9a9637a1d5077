import { setTimeout as sleep } from "node:timers/promises";
import { Binary, Double, Int32, Long, Timestamp } from "bson";
import { compileExpression } from "./aggregate/expression";
import { unknownCommand } from "./commands/admin";
import type { Context, Server } from "./commands/context";
import { type Command, commands } from "./commands/table";
import { checkReadConcern, writeConcernError } from "./concerns";
import { CommandError, codeName, codes, labelsFor } from "./errors";
import type { Fault } from "./failpoints";
import { sessionIdOf } from "./sessions";
import { finishTransaction, type Identity, identityOf, inTransaction, retryable } from "./statements";
import { refuseCollation } from "./storage/catalog";
import { Blocked } from "./storage/transaction";
import { type Doc, isDoc, messageOf } from "./values/bson";
import { toSafeInteger } from "./values/numbers";
import { type Reply, requireName } from "./wire/frame";

/** Fields that any command may carry. */
const commonFields = new Set([
  "lsid",
  "$clusterTime",
  "$db",
  "$readPreference",
  "txnNumber",
  "autocommit",
  "startTransaction",
  "readConcern",
  "writeConcern",
  "comment",
  "maxTimeMS",
]);

/** The peer gets no reply and loses its connection, as a failpoint ordered. */
export class ConnectionFault extends Error {}

export interface Peer {
  appName: string | undefined;
}

export type Dispatch = (command: Doc, peer: Peer) => Promise<Reply>;

/** Runs one command after the other for any number of peers. A refusal becomes a reply; only faults are thrown. */
export function makeDispatch(server: Server): Dispatch {
  return async (command, peer) => {
    const name = Object.keys(command)[0] ?? "";
    const fault = server.failPoints?.onCommand(name, peer.appName);
    try {
      const reply = await runWithFault(server, name, command, fault);
      noteApplication(name, command, peer);
      return withTimes(reply);
    } catch (error) {
      if (error instanceof ConnectionFault) throw error;
      return withTimes({ body: errorBody(server, name, command, error) });
    }
  };
}

async function runWithFault(server: Server, name: string, command: Doc, fault: Fault | undefined): Promise<Reply> {
  if (fault === undefined) return run(server, name, command);
  if (fault.blockMs > 0) await sleep(fault.blockMs);
  if (fault.closeConnection) throw new ConnectionFault("failpoint");
  if (fault.errorCode !== undefined) {
    const error = new CommandError(fault.errorCode, `Failing command via 'failCommand' failpoint: ${name}`);
    error.labels = fault.errorLabels;
    throw error;
  }
  const reply = await run(server, name, command);
  if (fault.writeConcernError === undefined) return reply;
  const code = toSafeInteger(fault.writeConcernError["code"]) ?? 0;
  // A concern that failed does not undo the statement, so it never makes a transaction worth repeating.
  const labels = fault.errorLabels ?? labelsFor(code, { ...labelContext(name, command), inTransaction: false });
  const body = { ...reply.body, writeConcernError: fault.writeConcernError };
  return { ...reply, body: labels.length === 0 ? body : { ...body, errorLabels: labels } };
}

/** Executes the command; waits for a transaction that holds what it needs, and for the disk. */
async function run(server: Server, name: string, command: Doc): Promise<Reply> {
  const started = Date.now();
  const identity = identityOf(command);
  if (name === "commitTransaction" || name === "abortTransaction") {
    return finish(server, name, command, identity);
  }
  const spec = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (spec === undefined) throw unknownCommand(name);
  refuseUnknownFields(name, command, spec.fields);
  const limit = toSafeInteger(command["maxTimeMS"]) ?? 0;
  const deadline = limit > 0 ? started + limit : Number.POSITIVE_INFINITY;
  for (;;) {
    try {
      const context = execute(server, name, command, spec, identity, deadline);
      await server.database.durable(context.position);
      return context.reply;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      await waitFor(error, deadline);
    }
  }
}

function refuseUnknownFields(name: string, command: Doc, fields: ReadonlySet<string>): void {
  for (const field of Object.keys(command)) {
    if (field === name || commonFields.has(field) || fields.has(field)) continue;
    throw new CommandError("UnknownField", `BSON field '${name}.${field}' is an unknown field.`);
  }
}

/** The longest wait without a limit of its own; open transactions are ended well before. */
const longestWaitMs = 120_000;

async function waitFor({ holder }: Blocked, deadline: number): Promise<void> {
  const left = Math.min(deadline - Date.now(), longestWaitMs);
  if (left <= 0) throw new CommandError("MaxTimeMSExpired", "operation exceeded time limit");
  const timer = new AbortController();
  await Promise.race([holder.ended, sleep(left, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}

interface Executed {
  reply: Reply;
  position: number;
}

/** From the first read to the commit without giving way: nobody can come in between. */
function execute(
  server: Server,
  name: string,
  command: Doc,
  spec: Command,
  identity: Identity,
  deadline: number,
): Executed {
  const isInTransaction = identity.kind === "transaction";
  const phase = isInTransaction ? (identity.isFirst ? "first" : "later") : "none";
  if (isInTransaction && !spec.allowedInTransaction) {
    throw new CommandError(
      "OperationNotSupportedInTransaction",
      `Cannot run '${name}' in a multi-document transaction.`,
    );
  }
  checkReadConcern(command, phase);
  refuseCollation(command["collation"]);
  const concern = writeConcernError(command);
  if (isInTransaction && command["writeConcern"] !== undefined) {
    throw new CommandError(
      "InvalidOptions",
      `writeConcern is not allowed within a multi-statement transaction: ${name}`,
    );
  }
  const contextFor = (transaction: Context["transaction"]): Context =>
    makeContext(server, command, transaction, deadline);
  if (isInTransaction) return inTransaction(server, identity, contextFor, (context) => spec.run(context, command));
  const executed =
    identity.kind === "retryable" && spec.kind === "write"
      ? retryable(server, identity, contextFor, (context) => spec.run(context, command), ConnectionFault)
      : alone(server, contextFor, (context) => spec.run(context, command));
  if (concern !== undefined && (spec.kind === "write" || spec.kind === "schema")) {
    return { ...executed, reply: { ...executed.reply, body: { ...executed.reply.body, writeConcernError: concern } } };
  }
  return executed;
}

function alone(
  server: Server,
  contextFor: (transaction: Context["transaction"]) => Context,
  work: (context: Context) => Reply,
): Executed {
  const { transactions, database } = server;
  const before = database.position();
  const context = contextFor(transactions.begin(true));
  try {
    const reply = work(context);
    transactions.commit(context.transaction, () => {});
    const after = database.position();
    return { reply, position: after > before ? after : context.position };
  } catch (error) {
    transactions.abort(context.transaction);
    throw error;
  }
}

function makeContext(server: Server, command: Doc, transaction: Context["transaction"], deadline: number): Context {
  const now = new Date();
  return {
    server,
    transaction,
    databaseName: requireName(command["$db"], "database name"),
    sessionId: sessionIdOf(command["lsid"]),
    now,
    deadline,
    variables: variablesOf(command["let"], now),
    position: 0,
  };
}

const nowOnly = new Set(["NOW"]);

function variablesOf(bindings: unknown, now: Date): Doc {
  const variables: Doc = { NOW: now };
  if (!isDoc(bindings)) return variables;
  for (const name of Object.keys(bindings)) {
    variables[name] = compileExpression(bindings[name], nowOnly)({ root: {}, variables: { NOW: now } }) ?? null;
  }
  return variables;
}

async function finish(
  server: Server,
  name: "commitTransaction" | "abortTransaction",
  command: Doc,
  identity: Identity,
): Promise<Reply> {
  refuseUnknownFields(name, command, new Set(["recoveryToken"]));
  const concern = writeConcernError(command);
  const position = finishTransaction(server, name, identity);
  await server.database.durable(position);
  return { body: concern === undefined ? {} : { writeConcernError: concern } };
}

function noteApplication(name: string, command: Doc, peer: Peer): void {
  const client = command["client"];
  if (!["hello", "ismaster", "isMaster"].includes(name) || !isDoc(client)) return;
  const application = client["application"];
  if (isDoc(application) && typeof application["name"] === "string") peer.appName = application["name"];
}

function labelContext(name: string, command: Doc) {
  const isCommitOrAbort = name === "commitTransaction" || name === "abortTransaction";
  const isInTransaction = command["autocommit"] === false;
  return {
    isCommitOrAbort,
    inTransaction: isInTransaction && !isCommitOrAbort,
    isRetryableWrite: command["txnNumber"] !== undefined && !isInTransaction,
  };
}

function errorBody(server: Server, name: string, command: Doc, error: unknown): Doc {
  const refusal = error instanceof CommandError ? error : undefined;
  if (refusal === undefined) server.log("error", `${name} failed: ${messageOf(error)}`, { stack: stackOf(error) });
  const code = refusal?.code ?? codes.InternalError;
  const labels = refusal?.labels ?? labelsFor(code, labelContext(name, command));
  return {
    ok: new Double(0),
    errmsg: messageOf(error),
    code: new Int32(code),
    codeName: codeName(code),
    ...refusal?.details,
    ...(labels.length === 0 ? {} : { errorLabels: labels }),
  };
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? "") : "");

const noSignature = { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO };
let lastTime = 0n;

/** Cluster time of one node: seconds of the clock and a counter, never going back while the process lives. */
function nextTime(): Timestamp {
  const now = BigInt(Math.floor(Date.now() / 1_000)) << 32n;
  lastTime = now > lastTime ? now + 1n : lastTime + 1n;
  return new Timestamp(lastTime);
}

function withTimes(reply: Reply): Reply {
  const time = nextTime();
  const times = { operationTime: time, $clusterTime: { clusterTime: time, signature: noSignature } };
  const ok = { ok: reply.body["ok"] ?? new Double(1) };
  return { ...reply, body: { ...reply.body, ...ok, ...times } };
}
