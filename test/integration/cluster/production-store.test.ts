import { openMongo } from "../../../services/shared/mongo";
import { noTracing } from "../../../services/shared/tracing";
import { startTestStore, type TestStore } from "../../support/ground";

describe("the store of the production profile", () => {
  let store: TestStore;

  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());

  const open = (uri: string, profile: "sandbox" | "production") =>
    openMongo({ uri, database: store.database("profiles"), profile, tracing: noTracing });

  it("is not one of a single member, such as the store of these tests", async () => {
    await expect(open(store.mongoUri, "production")).rejects.toThrow("not fit for the production profile");
  });

  it("acknowledges by a majority and journals, whatever its address says", async () => {
    const mongo = await open(`${store.mongoUri}&w=1&journal=false&readConcernLevel=local&wtimeoutMS=1`, "sandbox");
    try {
      const { writeConcern, readConcern, readPreference } = mongo.connection.getClient().options;

      expect(writeConcern).toMatchObject({ w: "majority", journal: true, wtimeoutMS: 5_000 });
      expect(readConcern).toMatchObject({ level: "majority" });
      expect(readPreference).toMatchObject({ mode: "primary" });
    } finally {
      await mongo.stop();
    }
  });
});
