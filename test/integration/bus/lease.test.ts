import { noTracing } from "../../../services/shared/process/tracing";
import { type Lease, makeLease, processHolder } from "../../../services/shared/storage/lease";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

describe("makeLease", () => {
  let store: TestStore;
  let mongo: Mongo;
  const lease = (holder: string, name: string, ttlMs = 60_000): Lease =>
    makeLease({ connection: mongo.connection, name, holder, ttlMs });

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("lease");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it("is asked for under another name by every process, also where hosts and process ids are the same", () => {
    const others = [1, 2].map(() => {
      let name = "";
      jest.isolateModules(() => {
        name = jest.requireActual<{ processHolder: string }>("../../../services/shared/storage/lease").processHolder;
      });
      return name;
    });

    expect(new Set([processHolder, ...others]).size).toBe(3);
  });

  it("has one holder, who keeps it", async () => {
    const [first, second] = [lease("a", "kept", 3_000), lease("b", "kept", 3_000)];

    expect(await first.hold()).toBe(true);
    for (let round = 0; round < 8; round += 1) {
      expect(await first.hold()).toBe(true);
      expect(await second.hold()).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });

  it("goes to one of many that ask at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => lease(`h${index}`, "race").hold()));

    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  it("passes on when the holder is silent", async () => {
    expect(await lease("a", "silent", 300).hold()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 350));

    expect(await lease("b", "silent").hold()).toBe(true);
  });

  it("is given back by its holder alone", async () => {
    expect(await lease("a", "own").hold()).toBe(true);

    await lease("b", "own").release();

    expect(await lease("b", "own").hold()).toBe(false);
  });

  it("passes on at once when it is given back", async () => {
    const first = lease("a", "given");
    await first.hold();
    await first.release();

    expect(await lease("b", "given").hold()).toBe(true);
    expect(await first.hold()).toBe(false);
  });
});
