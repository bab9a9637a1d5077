import type { Doc } from "../values/bson";
import type { Reply } from "../wire/frame";
import * as admin from "./admin";
import type { Context } from "./context";
import * as read from "./read";
import * as schema from "./schema";
import * as write from "./write";

export interface Command {
  run(context: Context, command: Doc): Reply;
  kind: "read" | "write" | "schema" | "admin";
  /** Fields beside the common ones. Any other field is refused by name. */
  fields: ReadonlySet<string>;
  allowedInTransaction: boolean;
}

const define = (kind: Command["kind"], run: Command["run"], fields: string, allowedInTransaction = false): Command => ({
  kind,
  run,
  fields: new Set(fields.split(" ")),
  allowedInTransaction,
});

/** Offers of the client; a server takes up what it has and leaves the rest. */
const helloFields = "helloOk client compression backpressure loadBalanced saslSupportedMechs speculativeAuthenticate";
const findFields =
  "filter sort projection hint skip limit batchSize singleBatch min max returnKey showRecordId tailable awaitData oplogReplay noCursorTimeout allowPartialResults collation allowDiskUse let";
const findAndModifyFields =
  "query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let";

/** All commands by name. Fields that only steer replication, sharding or disk use are accepted, as they change no result. */
export const commands: Record<string, Command> = {
  hello: define("admin", admin.hello, helloFields),
  ismaster: define("admin", admin.hello, helloFields),
  isMaster: define("admin", admin.hello, helloFields),
  buildInfo: define("admin", admin.buildInfo, ""),
  buildinfo: define("admin", admin.buildInfo, ""),
  ping: define("admin", admin.ping, ""),
  getParameter: define("admin", admin.getParameter, "enableTestCommands transactionLifetimeLimitSeconds"),
  serverStatus: define("admin", admin.serverStatus, ""),
  configureFailPoint: define("admin", admin.configureFailPoint, "mode data"),
  startSession: define("admin", admin.ping, ""),
  endSessions: define("admin", admin.endSessions, ""),
  killSessions: define("admin", admin.endSessions, ""),
  refreshSessions: define("admin", admin.endSessions, ""),
  killAllSessions: define("admin", admin.killAllSessions, ""),
  find: define("read", read.find, findFields, true),
  getMore: define("read", read.getMore, "collection batchSize", true),
  killCursors: define("read", read.killCursors, "cursors", true),
  count: define("read", read.count, "query limit skip hint collation"),
  distinct: define("read", read.distinct, "key query collation hint", true),
  aggregate: define(
    "read",
    read.aggregate,
    "pipeline cursor allowDiskUse bypassDocumentValidation collation hint let explain",
    true,
  ),
  explain: define("read", read.explain, "verbosity"),
  insert: define("write", write.insert, "documents ordered bypassDocumentValidation", true),
  update: define("write", write.update, "updates ordered bypassDocumentValidation let", true),
  delete: define("write", write.remove, "deletes ordered let", true),
  findAndModify: define("write", write.findAndModify, findAndModifyFields, true),
  findandmodify: define("write", write.findAndModify, findAndModifyFields, true),
  create: define(
    "schema",
    schema.create,
    "capped size max viewOn pipeline timeseries expireAfterSeconds clusteredIndex changeStreamPreAndPostImages validator validationLevel validationAction indexOptionDefaults storageEngine encryptedFields collation autoIndexId",
  ),
  drop: define("schema", schema.drop, ""),
  dropDatabase: define("schema", schema.dropDatabase, ""),
  createIndexes: define("schema", schema.createIndexes, "indexes commitQuorum"),
  dropIndexes: define("schema", schema.dropIndexes, "index"),
  deleteIndexes: define("schema", schema.dropIndexes, "index"),
  listIndexes: define("read", schema.listIndexes, "cursor"),
  listCollections: define("read", schema.listCollections, "filter nameOnly cursor authorizedCollections"),
  listDatabases: define("read", schema.listDatabases, "filter nameOnly authorizedDatabases"),
  collStats: define("read", schema.collStats, "scale"),
};
