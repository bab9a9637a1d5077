import { Binary, Double, Int32, Long, Timestamp } from "bson";
import { CommandError, codeName, codes, type LabelContext, labelsFor } from "./errors";
import { type Doc, messageOf } from "./values/bson";
import type { Reply } from "./wire/frame";

/** Facts that decide which labels an error of this command gets. */
export function labelContext(name: string, command: Doc): LabelContext {
  const isCommitOrAbort = name === "commitTransaction" || name === "abortTransaction";
  const isInTransaction = command["autocommit"] === false;
  return {
    isCommitOrAbort,
    inTransaction: isInTransaction && !isCommitOrAbort,
    isRetryableWrite: command["txnNumber"] !== undefined && !isInTransaction,
  };
}

/** The reply to a command that was refused or, without a code of its own, has failed. */
export function errorBody(name: string, command: Doc, error: unknown): Doc {
  const refusal = error instanceof CommandError ? error : undefined;
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

const noSignature = { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO };
let lastTime = 0n;

/** Adds the cluster time of one node: seconds of the clock and a counter, never going back while the process lives. */
export function withTimes(reply: Reply): Reply {
  const now = BigInt(Math.floor(Date.now() / 1_000)) << 32n;
  lastTime = now > lastTime ? now + 1n : lastTime + 1n;
  const time = new Timestamp(lastTime);
  const times = { operationTime: time, $clusterTime: { clusterTime: time, signature: noSignature } };
  return { ...reply, body: { ...reply.body, ok: reply.body["ok"] ?? new Double(1), ...times } };
}
