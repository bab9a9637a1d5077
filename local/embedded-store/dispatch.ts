import { setTimeout as sleep } from "node:timers/promises";
import { compileExpression } from "./aggregate/expression";
import type { Context, Server } from "./commands/context";
import { type Command, commands } from "./commands/table";
import { checkReadConcern, writeConcernError } from "./concerns";
import { CommandError, demand, labelsFor } from "./errors";
import { ConnectionFault, type Fault } from "./failpoints";
import { errorBody, labelContext, withTimes } from "./replies";
import {
  alone,
  type Executed,
  finishTransaction,
  type Identity,
  identityOf,
  inTransaction,
  retryable,
} from "./statements";
import { refuseCollation } from "./storage/index-definition";
import { Blocked, type Transaction } from "./storage/transaction";
import { type Doc, isDoc, messageOf } from "./values/bson";
import { toSafeInteger } from "./values/numbers";
import { type Reply, requireName } from "./wire/frame";

/** Fields that any command may carry. */
const commonFields = new Set(
  `lsid $clusterTime $db $readPreference txnNumber autocommit startTransaction readConcern writeConcern comment
  maxTimeMS`.split(/\s+/),
);

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
      server.tally.note(name, command, reply);
      peer.appName = applicationOf(command) ?? peer.appName;
      return withTimes(reply);
    } catch (error) {
      if (error instanceof ConnectionFault) throw error;
      server.tally.note(name, command, { body: {} });
      if (!(error instanceof CommandError))
        server.log("error", `${name} failed: ${messageOf(error)}`, {
          stack: error instanceof Error ? error.stack : "",
        });
      return withTimes({ body: errorBody(name, command, error) });
    }
  };
}

/** The application name in a client's greeting. */
function applicationOf({ client }: Doc): string | undefined {
  const application = isDoc(client) ? client["application"] : undefined;
  const name = isDoc(application) ? application["name"] : undefined;
  return typeof name === "string" ? name : undefined;
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

/** Executes the command; waits for transactions that hold what it needs, and for the disk. */
async function run(server: Server, name: string, command: Doc): Promise<Reply> {
  const limit = toSafeInteger(command["maxTimeMS"]) ?? 0;
  const deadline = limit > 0 ? Date.now() + limit : Number.POSITIVE_INFINITY;
  const execute = prepare(server, name, command, deadline);
  for (;;) {
    try {
      const { reply, position } = execute();
      await server.database.durable(position);
      return reply;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      await waitFor(error, deadline);
    }
  }
}

/** The longest wait without a limit of its own; open transactions are ended well before. */
const longestWaitMs = 120_000;

async function waitFor({ holder }: Blocked, deadline: number): Promise<void> {
  const left = Math.min(deadline - Date.now(), longestWaitMs);
  demand(left > 0, "MaxTimeMSExpired", "operation exceeded time limit");
  const timer = new AbortController();
  await Promise.race([holder.ended, sleep(left, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}

/** Checks the command's own fields. The returned function runs from its first read to its commit without yielding. */
function prepare(server: Server, name: string, command: Doc, deadline: number): () => Executed {
  const identity = identityOf(command);
  if (name === "commitTransaction" || name === "abortTransaction") {
    refuseUnknownFields(name, command, new Set(["recoveryToken"]));
    const body = withConcern({}, writeConcernError(command["writeConcern"]));
    return () => ({ reply: { body }, position: finishTransaction(server, name, identity) });
  }
  const spec = Object.hasOwn(commands, name) ? commands[name] : undefined;
  demand(spec !== undefined, "CommandNotFound", `no such command: '${name}'`);
  refuseUnknownFields(name, command, spec.fields);
  checkTransaction(name, command, spec, identity);
  refuseCollation(command["collation"]);
  const concern =
    spec.kind === "write" || spec.kind === "schema" ? writeConcernError(command["writeConcern"]) : undefined;
  const work = (transaction: Transaction): Executed => {
    const context = makeContext(server, command, transaction, deadline);
    const reply = spec.run(context, command);
    return { reply: { ...reply, body: withConcern(reply.body, concern) }, position: context.position };
  };
  if (identity.kind === "transaction") return () => inTransaction(server, identity, work);
  if (identity.kind === "retryable" && spec.kind === "write") return () => retryable(server, identity, work);
  return () => alone(server, work);
}

const withConcern = (body: Doc, failed: Doc | undefined): Doc =>
  failed === undefined ? body : { ...body, writeConcernError: failed };

function refuseUnknownFields(name: string, command: Doc, fields: ReadonlySet<string>): void {
  const unknown = Object.keys(command).find(
    (field) => field !== name && !commonFields.has(field) && !fields.has(field),
  );
  demand(unknown === undefined, "UnknownField", `BSON field '${name}.${unknown}' is an unknown field.`);
}

function checkTransaction(name: string, command: Doc, spec: Command, identity: Identity): void {
  const isTransaction = identity.kind === "transaction";
  checkReadConcern(command["readConcern"], isTransaction ? (identity.isFirst ? "first" : "later") : "none");
  if (!isTransaction) return;
  const message = `Cannot run '${name}' in a multi-document transaction.`;
  demand(spec.allowedInTransaction, "OperationNotSupportedInTransaction", message);
  const hasConcern = command["writeConcern"] !== undefined;
  demand(!hasConcern, "InvalidOptions", `writeConcern is not allowed within a multi-statement transaction: ${name}`);
}

function makeContext(server: Server, command: Doc, transaction: Transaction, deadline: number): Context {
  const now = new Date();
  return {
    server,
    transaction,
    databaseName: requireName(command["$db"], "database name"),
    now,
    deadline,
    variables: variablesOf(command["let"], now),
    position: 0,
  };
}

function variablesOf(bindings: unknown, now: Date): Doc {
  const scope = { root: {}, variables: { NOW: now } };
  const variables: Doc = { NOW: now };
  for (const [name, value] of Object.entries(isDoc(bindings) ? bindings : {}))
    variables[name] = compileExpression(value, new Set(["NOW"]))(scope) ?? null;
  return variables;
}
