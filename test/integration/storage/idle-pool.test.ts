import { noTracing } from "../../../services/shared/process/tracing";
import { driverDb, type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

/** What is used here of the driver's own pools of connections. */
interface DriverClient {
  topology: { s: { servers: Map<string, { pool: { minPoolSizeTimer: { _idleTimeout: number } } }> } };
}

describe("the connections of a process that has nothing to do", () => {
  let store: TestStore;
  let one: Mongo;
  beforeAll(async () => {
    store = await startTestStore();
    const uri = store.mongoUri;
    one = await openMongo({ uri, database: store.database("idle"), profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await one.stop();
    await store.stop();
  });

  it("are looked at every ten seconds and not ten times a second", async () => {
    await driverDb(one.connection).command({ ping: 1 });
    const { servers } = (one.connection.getClient() as unknown as DriverClient).topology.s;

    const pauses = [...servers.values()].map(({ pool }) => pool.minPoolSizeTimer._idleTimeout);
    expect(pauses).toEqual([10_000]);
  });
});
