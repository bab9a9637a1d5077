import { mongo } from "mongoose";
import { noTracing } from "../../../services/shared/process/tracing";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

/** Longer than a call may take. */
const buildMs = 11_000;

describe("an index that takes long to build", () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());

  it("is waited for, while a call that takes as long is given up", async () => {
    const uri = store.mongoUri;
    const one = await openMongo({ uri, database: store.database("slow"), profile: "local", tracing: noTracing });
    const admin = await mongo.MongoClient.connect(uri);
    const block = { blockConnection: true, blockTimeMS: buildMs };
    const data = { failCommands: ["createIndexes", "count"], ...block };
    await admin.db("admin").command({ configureFailPoint: "failCommand", mode: "alwaysOn", data });
    try {
      const rows = one.connection.collection("rows");
      const [built, called] = await Promise.allSettled([
        rows.createIndex({ n: 1 }),
        one.connection.db?.command({ count: "rows" }),
      ]);

      expect(built).toEqual({ status: "fulfilled", value: "n_1" });
      expect(called.status).toBe("rejected");
    } finally {
      await admin.db("admin").command({ configureFailPoint: "failCommand", mode: "off" });
      await admin.close();
      await one.stop();
    }
  }, 60_000);
});
