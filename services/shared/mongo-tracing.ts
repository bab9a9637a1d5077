import type { mongo } from "mongoose";
import { currentCall } from "./call-context";
import { systemClock } from "./clock";
import { parseTraceparent, type Tracing } from "./tracing";

/** Records a client span for each command that a traced call sends to the store. Names commands, never their content. */
export function traceCommands(client: mongo.MongoClient, tracing: Tracing): void {
  const running = new Map<number, { parent: string; startMs: number; name: string; database: string }>();
  client.on("commandStarted", ({ requestId, commandName, databaseName }) => {
    const parent = currentCall()?.traceparent;
    if (parent === undefined || parseTraceparent(parent)?.sampled !== true) return;
    running.set(requestId, { parent, startMs: systemClock.now().getTime(), name: commandName, database: databaseName });
  });
  const end = (requestId: number, failed: boolean): void => {
    const started = running.get(requestId);
    if (started === undefined) return;
    running.delete(requestId);
    const { parent, startMs, name, database } = started;
    const attributes = { "db.system.name": "mongodb", "db.operation.name": name, "db.namespace": database };
    tracing.record(`mongodb ${name}`, {
      kind: "client",
      parent,
      startMs,
      endMs: systemClock.now().getTime(),
      failed,
      attributes,
    });
  };
  client.on("commandSucceeded", ({ requestId }) => end(requestId, false));
  client.on("commandFailed", ({ requestId }) => end(requestId, true));
}
