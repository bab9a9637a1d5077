import { type Inbox, makeInbox } from "../../../services/shared/bus/inbox";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const events = (...sequences: number[]) => sequences.map((sequence) => ({ sequence }));

describe("makeInbox", () => {
  let store: TestStore;
  let mongo: Mongo;
  let inbox: Inbox;
  const take = (id: string, ...sequences: number[]) =>
    mongo.transact((tx) => inbox.take(tx, "STREAM", id, events(...sequences)));

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("inbox");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    inbox = makeInbox(mongo.connection);
    await inbox.init();
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it("gives each event once", async () => {
    expect(await take("a", 1, 2)).toEqual(events(1, 2));
    expect(await take("a", 1, 2)).toEqual([]);
    expect(await take("a", 1, 2, 3, 4)).toEqual(events(3, 4));
    expect(await take("a", 2, 3)).toEqual([]);
    expect(await take("a", 5)).toEqual(events(5));
  });

  it("keeps aggregates apart", async () => {
    expect(await take("b", 1)).toEqual(events(1));
    expect(await take("c", 1)).toEqual(events(1));
  });

  it("refuses a gap and takes the events once it is filled", async () => {
    await take("d", 1);

    await expect(take("d", 3)).rejects.toMatchObject({ reason: "VERSION_CONFLICT" });
    expect(await take("d", 2, 3)).toEqual(events(2, 3));
  });

  it("refuses to begin in the middle", async () => {
    await expect(take("e", 2)).rejects.toMatchObject({ reason: "VERSION_CONFLICT" });
  });

  it("forgets what a failed operation took", async () => {
    const failing = mongo.transact(async (tx) => {
      await inbox.take(tx, "STREAM", "f", events(1));
      throw new Error("the operation failed");
    });

    await expect(failing).rejects.toThrow("the operation failed");
    expect(await take("f", 1)).toEqual(events(1));
  });

  it("gives an event to one of two that take it at once", async () => {
    const taken = await Promise.allSettled([take("g", 1), take("g", 1)]);

    const given = taken.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    expect(given).toEqual(events(1));
  });
});
