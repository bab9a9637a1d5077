import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo, Schema } from "mongoose";
import { chooseStore } from "../../../local/local-store";
import { noTracing } from "../../../services/shared/process/tracing";
import { asRefusal } from "../../../services/shared/rpc/rpc-errors";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { changeAll, inOneCommand } from "../../../services/shared/storage/one-command";
import { startTestStore, type TestStore } from "../../support/testbed";

type Use = (mongo: Mongo) => Promise<unknown>;

const rows = (mongo: Mongo) => mongo.connection.collection<{ _id: string; n: number }>("rows");
const rowSchema = new Schema({ _id: String, n: Number }, { versionKey: false });
const model = ({ connection }: Mongo) => connection.model<{ _id: string; n: number }>("Row", rowSchema, "rows");

let fresh = 0;
const freshId = (): string => {
  fresh += 1;
  return `row-${fresh}`;
};

/** Every way in which the services use a store, each with the command that is made to fail. */
const uses: Record<string, readonly [command: string, use: Use]> = {
  find: ["find", (one) => rows(one).findOne({ _id: "row" })],
  "mongoose find": ["find", (one) => model(one).find({ _id: "row" }).lean()],
  "cursor begun": ["getMore", (one) => rows(one).find({}, { batchSize: 2 }).toArray()],
  "mongoose cursor": [
    "getMore",
    (one) =>
      model(one)
        .find({})
        .lean()
        .cursor({ batchSize: 2 })
        .eachAsync(() => {}),
  ],
  insert: ["insert", (one) => rows(one).insertOne({ _id: freshId(), n: 1 })],
  "many inserts": ["insert", (one) => rows(one).insertMany([{ _id: freshId(), n: 1 }], { ordered: false })],
  "mongoose create": ["insert", (one) => model(one).create({ _id: freshId(), n: 1 })],
  update: ["update", (one) => rows(one).updateOne({ _id: "row" }, { $inc: { n: 1 } })],
  "update of many": ["update", (one) => rows(one).updateMany({ _id: { $in: ["row"] } }, { $inc: { n: 1 } })],
  "bulk write": [
    "update",
    (one) => rows(one).bulkWrite([{ updateOne: { filter: { _id: "row" }, update: { $inc: { n: 1 } } } }]),
  ],
  "mongoose bulk write": [
    "update",
    (one) => model(one).bulkWrite([{ updateMany: { filter: { _id: "row" }, update: { $inc: { n: 1 } } } }]),
  ],
  "find and modify": ["findAndModify", (one) => rows(one).findOneAndUpdate({ _id: "row" }, { $inc: { n: 1 } })],
  delete: ["delete", (one) => rows(one).deleteMany({ _id: "none" })],
  aggregate: ["aggregate", (one) => rows(one).countDocuments({ _id: "row" })],
  "transaction's read": [
    "find",
    (one) => one.transact(({ session }) => rows(one).findOne({ _id: "row" }, { session })),
  ],
  "transaction's bulk write": [
    "update",
    (one) =>
      one.transact(({ session }) =>
        rows(one).bulkWrite([{ updateOne: { filter: { _id: "row" }, update: { $inc: { n: 1 } } } }], { session }),
      ),
  ],
  "transaction of several collections": [
    "bulkWrite",
    (one) =>
      one.transact((tx) =>
        inOneCommand(tx, (all) =>
          changeAll(
            all,
            rows(one),
            [{ filter: { _id: "row" }, update: { $inc: { n: 1 } } }],
            () => new Error("missed"),
          ),
        ),
      ),
  ],
  "file in pieces": [
    "insert",
    async (one) => {
      const bucket = new mongo.GridFSBucket(one.connection.getClient().db(one.connection.name));
      const upload = bucket.openUploadStream("file");
      upload.end(Buffer.alloc(10));
      await once(upload, "finish");
    },
  ],
};

/** What a primary answers that steps down, shuts down or is none any more, and what happens to its connections. */
const faults: Record<string, mongo.Document> = {
  "PrimarySteppedDown 189": { errorCode: 189 },
  "NotWritablePrimary 10107": { errorCode: 10_107 },
  "InterruptedAtShutdown 11600": { errorCode: 11_600 },
  "InterruptedDueToReplStateChange 11602": { errorCode: 11_602 },
  "NotPrimaryNoSecondaryOk 13435": { errorCode: 13_435 },
  "ShutdownInProgress 91": { errorCode: 91 },
  "a closed connection": { closeConnection: true },
};

const reasonOf = async (work: Promise<unknown> | undefined): Promise<string> => {
  try {
    await work;
    return "no refusal";
  } catch (error) {
    return asRefusal(error).reason;
  }
};

const options = (uri: string, database: string) => ({ uri, database, profile: "local", tracing: noTracing }) as const;

async function fill(one: Mongo): Promise<void> {
  await rows(one).insertMany(Array.from({ length: 12 }, (_, n) => ({ _id: n === 0 ? "row" : freshId(), n })));
}

describe("a primary that steps down", () => {
  let store: TestStore;
  let mine: Mongo;
  let admin: mongo.MongoClient;

  beforeAll(async () => {
    store = await startTestStore();
    mine = await openMongo(options(store.mongoUri, store.database("outages")));
    admin = await mongo.MongoClient.connect(store.mongoUri);
    await fill(mine);
  });
  afterAll(async () => {
    await mine.stop();
    await admin.close();
    await store.stop();
  });

  const failCommand = (mode: unknown, data: mongo.Document = {}) =>
    admin.db("admin").command({ configureFailPoint: "failCommand", mode, data });

  /** Reasons of uses by name, all of them at once. */
  const reasonsOf = async (names: readonly string[]) =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await reasonOf(uses[name]?.[1](mine))])));

  const named = (isWanted: (name: string, command: string) => boolean): string[] =>
    Object.entries(uses).flatMap(([name, [command]]) => (isWanted(name, command) ? [name] : []));
  const later = named((name, command) => name.startsWith("transaction") || command === "getMore");
  const first = named((name) => !later.includes(name));

  it.each(Object.entries(faults))(
    "that answers %s is unavailable to all who use it, and never a bug",
    async (_name, data) => {
      const commands = new Set(first.map((name) => uses[name]?.[0]));
      await failCommand("alwaysOn", { failCommands: [...commands], ...data });
      const refused = await reasonsOf(first);
      await failCommand("off");

      expect(refused).toEqual(Object.fromEntries(first.map((name) => [name, "UNAVAILABLE"])));
    },
  );

  it.each(Object.entries(faults))("that answers %s in the middle of the work is no bug", async (_name, data) => {
    // Transactions begin again by themselves, for longer than a test waits, and then meet a primary that is one.
    await failCommand({ times: 2 }, { failCommands: ["getMore", "update", "bulkWrite", "commitTransaction"], ...data });
    const reasons = await reasonsOf(later);
    await failCommand("off");

    expect(Object.values(reasons).filter((reason) => reason !== "UNAVAILABLE" && reason !== "no refusal")).toEqual([]);
  });
});

describe("a store that is killed or stopped", () => {
  const everyUse = (one: Mongo): Promise<string[]> =>
    Promise.all(Object.values(uses).flatMap(([, use]) => [reasonOf(use(one)), reasonOf(use(one))]));

  it.each(["SIGKILL", "SIGSTOP"] as const)(
    "is unavailable to all who use it when %s meets it under load",
    async (signal) => {
      const dir = mkdtempSync(join(tmpdir(), "corridor-killed-"));
      const store = await chooseStore({ dir, spawned: true, env: {}, log: () => {} });
      const one = await openMongo(options(store.uri, "killed"));
      await fill(one);
      let isLoading = true;
      const reasons: string[] = [];
      const load = Array.from({ length: 4 }, async () => {
        while (isLoading) reasons.push(...(await everyUse(one)));
      });
      while (reasons.length === 0) await new Promise((resolve) => setImmediate(resolve));

      if (signal === "SIGKILL") await store.process?.end("SIGKILL");
      else process.kill(store.process?.pid() ?? 0, "SIGSTOP");
      while (!reasons.includes("UNAVAILABLE")) await new Promise((resolve) => setTimeout(resolve, 50));
      const away = await everyUse(one);
      if (signal === "SIGKILL") await store.process?.start();
      else process.kill(store.process?.pid() ?? 0, "SIGCONT");
      isLoading = false;
      await Promise.all(load);

      expect(new Set(away)).toEqual(new Set(["UNAVAILABLE"]));
      expect(new Set(reasons)).toEqual(new Set(["UNAVAILABLE", "no refusal"]));
      await one.stop();
      await store.stop();
      rmSync(dir, { recursive: true });
    },
  );
});

describe("a store that is not there at the start", () => {
  const [database, patienceMs] = ["late", 1] as const;

  it("is given up when it has been waited for long enough", async () => {
    const nowhere = options("mongodb://127.0.0.1:9/?replicaSet=none", database);

    await expect(openMongo({ ...nowhere, patienceMs })).rejects.toThrow("ECONNREFUSED");
  });

  it("is said to be waited for, once in a while", async () => {
    const said: string[] = [];
    const logger = { debug() {}, info() {}, warn: (_fields: object, text: string) => said.push(text), error() {} };
    const nowhere = options("mongodb://127.0.0.1:9/?replicaSet=none", database);

    await expect(openMongo({ ...nowhere, patienceMs: 5_000, logger })).rejects.toThrow("ECONNREFUSED");

    expect(said).toEqual(["waiting for the store"]);
  }, 30_000);

  it("is taken when it comes", async () => {
    const dir = mkdtempSync(join(tmpdir(), "corridor-late-"));
    const store = await chooseStore({ dir, spawned: true, env: {}, log: () => {} });
    await store.process?.end("SIGKILL");
    const opening = openMongo(options(store.uri, database));
    await store.process?.start();

    const late = await opening;

    expect(await reasonOf(rows(late).findOne({ _id: "row" }))).toBe("no refusal");
    await late.stop();
    await store.stop();
    rmSync(dir, { recursive: true });
  });
});
