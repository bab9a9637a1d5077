import { randomBytes } from "node:crypto";
import { mongo } from "mongoose";
import { checkConsumers, checkInstants } from "../../../local/restore/check-databases";
import { openRestoredPlatform, type RestoredPlatform, serviceNames } from "../../../local/restore/restored-platform";
import { plusMs } from "../../../services/shared/kernel/clock";
import { startTestStore, type TestStore } from "../../support/testbed";

const backup = new Date("2026-11-23T10:00:00Z");

describe("the check of restored databases", () => {
  let store: TestStore;
  let client: mongo.MongoClient;
  let platform: RestoredPlatform | undefined;
  let prefix: string;
  beforeAll(async () => {
    store = await startTestStore();
    client = await mongo.MongoClient.connect(store.mongoUri);
  });
  afterAll(async () => {
    await client.close();
    await store.stop();
  });
  beforeEach(async () => {
    prefix = store.database(randomBytes(4).toString("hex"));
    for (const name of serviceNames) await mark(name, backup);
    await of("payment").collection("payments").createIndex({ lastEventAt: 1 });
    await of("identity").collection("documents").createIndex({ updatedAt: 1 });
    await of("webhook").collection("feed_pages").createIndex({ createdAt: 1 });
    await of("webhook").collection("feed_pages").createIndex({ "handled.key": 1 });
  });
  afterEach(async () => {
    await platform?.stop();
    for (const name of serviceNames) await of(name).dropDatabase();
  });

  const of = (service: string): mongo.Db => client.db(`${prefix}_${service}`);
  const mark = async (service: string, at: Date): Promise<void> => {
    const marks = of(service).collection<{ _id: string; at: Date }>("format_readers");
    await marks.updateOne({ _id: "1" }, { $set: { at } }, { upsert: true });
  };
  const put = async (service: string, collection: string, record: object): Promise<void> => {
    await of(service)
      .collection(collection)
      .insertOne({ ...record });
  };
  const putPage = (events: object[], handled: object[] = []): Promise<void> =>
    put("webhook", "feed_pages", { events, handled, createdAt: backup });
  const open = async (): Promise<RestoredPlatform> => {
    platform = await openRestoredPlatform({
      MONGODB_URI: store.mongoUri,
      DATABASE_PREFIX: prefix,
      NATS_URL: undefined,
      NATS_PASSWORD_FILE: undefined,
      NATS_CA_FILE: undefined,
      WALLET_SEAL_KEY_FILE: [randomBytes(32)],
      WALLET_ANCHOR_FILE: undefined,
      WALLET_STATEMENTS: undefined,
      WALLET_STATEMENT_TOKENS_FILE: undefined,
      AUTH_SEALING_KEY_FILE: [randomBytes(32)],
      AUTH_ANCHOR_FILE: undefined,
    });
    return platform;
  };

  it("finds nothing where all seven are of one time, and consumers are behind their producers", async () => {
    await mark("fx", plusMs(backup, -59_000));
    await put("payment", "payments", { _id: "p1", eventCount: 5, lastEventAt: backup });
    await put("webhook", "inbox", { _id: "CORRIDOR_PAYMENT/p1", lastSequence: 5 });
    await put("wallet", "inbox", { _id: "CORRIDOR_PAYMENT/p1", lastSequence: 3 });
    await putPage([{ subjectId: "p1", name: "TransactionStatusChanged" }]);

    const restored = await open();

    expect(checkInstants(restored)).toEqual([]);
    expect(await checkConsumers(restored)).toEqual([]);
    expect(restored.restoredTo).toEqual(backup);
  });

  it("names a database that is of another time, and one that was never used", async () => {
    await mark("wallet", plusMs(backup, -61_000));
    await of("schema").collection("format_readers").drop();

    const found = checkInstants(await open());

    expect(found).toMatchObject([
      { code: "DATABASE_MISSING", weight: "refused", text: expect.stringContaining("schema") },
      {
        code: "DIFFERENT_INSTANTS",
        weight: "accept",
        examples: [expect.stringContaining("wallet 2026-11-23T09:58:59")],
      },
    ]);
  });

  it("names every consumer that knows more than its producer", async () => {
    await put("payment", "payments", { _id: "p1", eventCount: 5, lastEventAt: backup });
    await put("wallet", "inbox", { _id: "CORRIDOR_PAYMENT/p1", lastSequence: 6 });
    await put("identity", "documents", { _id: "d1", eventCount: 1, updatedAt: backup });
    await putPage([], [{ key: "CORRIDOR_IDENTITY/d1", last: 2 }]);
    await putPage([{ subjectId: "p2", name: "TransactionStatusChanged" }]);

    const [found, ...more] = await checkConsumers(await open());

    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: "CONSUMER_AHEAD", weight: "refused" });
    expect(found?.examples).toEqual([
      "wallet has event 6 of CORRIDOR_PAYMENT/p1, payment has 5",
      "webhook has event 2 of CORRIDOR_IDENTITY/d1, identity has 1",
      "webhook has events of p2, which payment does not know",
    ]);
  });
});
