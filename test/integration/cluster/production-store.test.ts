import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedStore } from "../../../local/embedded-store/start";
import { noTracing } from "../../../services/shared/process/tracing";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

describe("the store of the production profile", () => {
  let store: TestStore;

  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());

  const open = (uri: string, profile: "local" | "sandbox" | "production") =>
    openMongo({ uri, database: store.database("profiles"), profile, tracing: noTracing });

  it("is not one of a single member, such as the store of these tests", async () => {
    await expect(open(store.mongoUri, "production")).rejects.toThrow("not fit for the production profile");
  });

  it.each(["local", "sandbox", "production"] as const)(
    "is of no version below the lowest in profile %s",
    async (profile) => {
      const dir = await mkdtemp(join(tmpdir(), "corridor-old-store-"));
      const old = await startEmbeddedStore({ dir, port: 0, version: "6.0.24", log: () => {} });

      await expect(open(old.uri, profile)).rejects.toThrow(/MongoDB 6\.0\.24/);
      await old.stop();
      await rm(dir, { recursive: true });
    },
  );

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
