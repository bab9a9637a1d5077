import type { Doc } from "../values/bson";
import type { Reply } from "../wire/frame";
import * as admin from "./admin";
import { bulkWrite } from "./bulk-write";
import type { Context } from "./context";
import { explain } from "./explain";
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

const define =
  (kind: Command["kind"], allowedInTransaction: boolean) =>
  (run: Command["run"], fields = ""): Command => ({
    kind,
    run,
    fields: new Set(fields.split(/\s+/)),
    allowedInTransaction,
  });

const administer = define("admin", false);
const query = define("read", true);
const list = define("read", false);
const change = define("write", true);
const manage = define("schema", false);

/** Offers of the client; a server takes up what it has and leaves the rest. */
const hello = administer(
  admin.hello,
  "helloOk client compression backpressure loadBalanced saslSupportedMechs speculativeAuthenticate",
);
const findAndModify = change(
  write.findAndModify,
  "query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let",
);

/** All commands by name. Fields that only steer replication, sharding or disk use are accepted, as they change no result. */
export const commands: Record<string, Command> = {
  hello,
  ismaster: hello,
  isMaster: hello,
  buildInfo: administer(admin.buildInfo),
  buildinfo: administer(admin.buildInfo),
  ping: administer(admin.ping),
  getParameter: administer(admin.getParameter, "enableTestCommands transactionLifetimeLimitSeconds"),
  serverStatus: administer(admin.serverStatus),
  top: administer(admin.top),
  configureFailPoint: administer(admin.configureFailPoint, "mode data"),
  corridorCopy: administer(admin.corridorCopy),
  explain: administer(explain, "verbosity"),
  startSession: administer(admin.ping),
  refreshSessions: administer(admin.ping),
  endSessions: administer(admin.endSessions),
  killSessions: administer(admin.endSessions),
  killAllSessions: administer(admin.killAllSessions),
  find: query(
    read.find,
    `filter sort projection hint skip limit batchSize singleBatch min max returnKey showRecordId tailable awaitData
    oplogReplay noCursorTimeout allowPartialResults collation allowDiskUse let`,
  ),
  getMore: query(read.getMore, "collection batchSize"),
  killCursors: query(read.killCursors, "cursors"),
  count: list(read.count, "query limit skip hint collation"),
  distinct: query(read.distinct, "key query collation hint"),
  aggregate: query(read.aggregate, "pipeline cursor allowDiskUse bypassDocumentValidation collation hint let explain"),
  insert: change(write.insert, "documents ordered bypassDocumentValidation"),
  update: change(write.update, "updates ordered bypassDocumentValidation let"),
  delete: change(write.remove, "deletes ordered let"),
  bulkWrite: change(bulkWrite, "ops nsInfo ordered errorsOnly bypassDocumentValidation cursor let"),
  findAndModify,
  findandmodify: findAndModify,
  create: manage(schema.create, `collation autoIndexId ${schema.refusedOptions.join(" ")}`),
  drop: manage(schema.drop),
  dropDatabase: manage(schema.dropDatabase),
  createIndexes: manage(schema.createIndexes, "indexes commitQuorum"),
  dropIndexes: manage(schema.dropIndexes, "index"),
  deleteIndexes: manage(schema.dropIndexes, "index"),
  listIndexes: list(schema.listIndexes, "cursor"),
  listCollections: list(schema.listCollections, "filter nameOnly cursor authorizedCollections"),
  listDatabases: list(schema.listDatabases, "filter nameOnly authorizedDatabases"),
};
