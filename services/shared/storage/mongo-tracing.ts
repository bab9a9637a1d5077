import type { mongo } from "mongoose";
import { currentCall } from "../process/call-context";
import { isDropped, type Tracing } from "../process/tracing";

const calls = [
  "insertOne",
  "findOne",
  "findOneAndUpdate",
  "updateOne",
  "updateMany",
  "deleteOne",
  "deleteMany",
  "bulkWrite",
  "countDocuments",
] as const;

type AnyCall = (...args: unknown[]) => Promise<unknown>;

/**
 * Puts a client span around each call that a traced call makes to a collection of this database. Spans contain the name of the call,
 * never its content. The driver's own command events are not used: with them the driver copies every command and reply, traced or not.
 */
export function traceCollections(db: mongo.Db, tracing: Tracing): void {
  const open = db.collection.bind(db);
  const opened = (name: string, options?: mongo.CollectionOptions): mongo.Collection => {
    const collection = open(name, options);
    const traced = (call: string, original: AnyCall): AnyCall => tracedCall(tracing, call, original, name);
    const methods: Record<string, AnyCall> = {};
    for (const call of calls) methods[call] = traced(call, collection[call].bind(collection) as AnyCall);
    const find = collection.find.bind(collection);
    const tracedFind = (...args: Parameters<typeof find>): ReturnType<typeof find> => {
      const cursor = find(...args);
      return Object.assign(cursor, { toArray: traced("find", cursor.toArray.bind(cursor)) });
    };
    return Object.assign(collection, methods, { find: tracedFind });
  };
  Object.assign(db, { collection: opened });
}

/** Puts a span around each call that writes to several collections. */
export function traceBulkWrites(client: mongo.MongoClient, tracing: Tracing): void {
  const bulkWrite = tracedCall(tracing, "bulkWrite", client.bulkWrite.bind(client) as AnyCall);
  Object.assign(client, { bulkWrite });
}

function tracedCall(tracing: Tracing, call: string, original: AnyCall, collection?: string): AnyCall {
  const named = collection === undefined ? {} : { "db.collection.name": collection };
  const attributes = { "db.system.name": "mongodb", "db.operation.name": call, ...named };
  return (...args) => {
    const traceparent = currentCall()?.traceparent;
    if (traceparent === undefined || isDropped(traceparent)) return original(...args);
    return tracing.span(`mongodb ${call}`, { kind: "client", attributes }, () => original(...args));
  };
}
