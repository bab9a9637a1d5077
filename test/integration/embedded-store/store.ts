import { mongo } from "mongoose";
import { startTestStore } from "../../support/testbed";

export interface StoreUnderTest {
  client: mongo.MongoClient;
  /** A key of its own. */
  database: mongo.Db;
  /** A new, empty collection. */
  collection(name: string): mongo.Collection;
  /** Runs `work` in a session with a transaction that the test itself commits or aborts. */
  begin(): mongo.ClientSession;
  stop(): Promise<void>;
}

/** The store that the one helper chooses, which lets its own tests scan: the same tests check the embedded store and a real replica set. */
export async function openStoreUnderTest(): Promise<StoreUnderTest> {
  const store = await startTestStore({ refusesScans: false });
  const client = await mongo.MongoClient.connect(store.mongoUri, { writeConcern: { w: "majority", journal: true } });
  const database = client.db(store.database("contract"));
  const sessions: mongo.ClientSession[] = [];
  return {
    client,
    database,
    collection: (name) => database.collection(name),
    begin() {
      const session = client.startSession();
      session.startTransaction({ readConcern: { level: "snapshot" } });
      sessions.push(session);
      return session;
    },
    async stop() {
      for (const session of sessions) await session.endSession();
      await client.close();
      await store.stop();
    },
  };
}

/** The code and labels of a refusal; fails when there is none. */
export async function refusal(work: Promise<unknown>): Promise<{ code: unknown; isTransient: boolean }> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof mongo.MongoError)) throw error;
    return { code: error.code, isTransient: error.hasErrorLabel("TransientTransactionError") };
  }
  throw new Error("expected a refusal");
}
