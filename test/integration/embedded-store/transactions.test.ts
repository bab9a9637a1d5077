import { openStoreUnderTest, refusal, type StoreUnderTest } from "./store";

const writeConflict = 112;
const noSuchTransaction = 251;
const maxTimeExpired = 50;

describe("transactions", () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await openStoreUnderTest();
  });

  afterAll(() => store.stop());

  it("loses no update of writers that read, decide and write", async () => {
    const counters = store.collection("lost-updates");
    await counters.insertOne({ _id: "c" as never, n: 0 });

    const worker = async () => {
      for (let round = 0; round < 20; round += 1) {
        await store.client.withSession((session) =>
          session.withTransaction(async () => {
            const found = await counters.findOne({ _id: "c" as never }, { session });
            await counters.updateOne({ _id: "c" as never }, { $set: { n: found?.["n"] + 1 } }, { session });
          }),
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));

    expect(await counters.findOne({})).toMatchObject({ n: 160 });
  });

  it("reads one snapshot, by id, by index and by scan, whatever others commit", async () => {
    const items = store.collection("snapshot");
    await items.createIndex({ kind: 1 });
    await items.insertMany([
      { name: "kept", kind: "a", n: 1 },
      { name: "moved", kind: "a", n: 2 },
      { name: "removed", kind: "b", n: 3 },
    ]);
    const session = store.begin();
    await items.findOne({ name: "kept" }, { session });

    await items.updateOne({ name: "moved" }, { $set: { kind: "b", n: 20 } });
    await items.deleteOne({ name: "removed" });
    await items.insertOne({ name: "added", kind: "a", n: 4 });

    const names = async (filter: object, options: object) =>
      (await items.find(filter, options).sort({ n: 1 }).toArray()).map((item) => item["name"]);
    expect(await names({}, { session })).toEqual(["kept", "moved", "removed"]);
    expect(await names({ kind: "a" }, { session })).toEqual(["kept", "moved"]);
    expect(await names({ kind: "b" }, { session })).toEqual(["removed"]);
    expect(await items.findOne({ name: "moved" }, { session })).toMatchObject({ n: 2 });
    await session.commitTransaction();
    expect(await names({}, {})).toEqual(["kept", "added", "moved"]);
  });

  it("shows its own writes inside and nothing of them outside until the commit", async () => {
    const items = store.collection("own-writes");
    await items.createIndex({ n: 1 });
    await items.insertOne({ n: 1 });
    const session = store.begin();

    await items.updateOne({ n: 1 }, { $set: { n: 5 } }, { session });
    await items.insertOne({ n: 6 }, { session });

    expect(await items.countDocuments({ n: { $gte: 5 } }, { session })).toBe(2);
    expect(await items.countDocuments({ n: 1 }, { session })).toBe(0);
    expect(await items.countDocuments({ n: { $gte: 5 } })).toBe(0);
    await session.commitTransaction();
    expect(await items.countDocuments({ n: { $gte: 5 } })).toBe(2);
  });

  it("leaves nothing of an aborted transaction", async () => {
    const items = store.collection("aborted");
    await items.insertOne({ name: "old", n: 1 });
    const session = store.begin();

    await items.updateOne({ name: "old" }, { $inc: { n: 1 } }, { session });
    await items.insertOne({ name: "new" }, { session });
    await session.abortTransaction();

    expect(await items.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ name: "old", n: 1 }]);
  });

  it("refuses the second of two transactions that write one document, at its first write", async () => {
    const items = store.collection("conflict");
    await items.insertOne({ name: "x", n: 0 });
    const [first, second] = [store.begin(), store.begin()];

    await items.updateOne({ name: "x" }, { $inc: { n: 1 } }, { session: first });
    const refused = await refusal(items.updateOne({ name: "x" }, { $inc: { n: 10 } }, { session: second }));
    await first.commitTransaction();

    expect(refused).toEqual({ code: writeConflict, isTransient: true });
    expect(await refusal(second.commitTransaction())).toMatchObject({ code: noSuchTransaction });
    expect(await items.findOne({})).toMatchObject({ n: 1 });
  });

  it("refuses to write a document that changed after the snapshot", async () => {
    const items = store.collection("stale");
    await items.insertOne({ name: "x", n: 0 });
    const session = store.begin();
    await items.findOne({}, { session });

    await items.updateOne({ name: "x" }, { $inc: { n: 1 } });

    const refused = await refusal(items.updateOne({ name: "x" }, { $inc: { n: 10 } }, { session }));
    expect(refused).toEqual({ code: writeConflict, isTransient: true });
  });

  it("lets a writer outside wait for the transaction that holds its document", async () => {
    const items = store.collection("waiting");
    await items.insertOne({ name: "x", n: 0 });
    const session = store.begin();
    await items.updateOne({ name: "x" }, { $inc: { n: 1 } }, { session });

    const outside = items.updateOne({ name: "x" }, { $inc: { n: 10 } });
    const meanwhile = await Promise.race([outside, new Promise((resolve) => setTimeout(resolve, 150, "waiting"))]);
    await session.commitTransaction();

    expect(meanwhile).toBe("waiting");
    expect(await outside).toMatchObject({ modifiedCount: 1 });
    expect(await items.findOne({})).toMatchObject({ n: 11 });
  });

  it("ends the wait when the time of the command is over", async () => {
    const items = store.collection("impatient");
    await items.insertOne({ name: "x", n: 0 });
    const session = store.begin();
    await items.updateOne({ name: "x" }, { $inc: { n: 1 } }, { session });

    const refused = await refusal(items.updateOne({ name: "x" }, { $inc: { n: 10 } }, { maxTimeMS: 100 }));

    expect(refused.code).toBe(maxTimeExpired);
    await session.abortTransaction();
  });

  it("ends with the first error in it", async () => {
    const items = store.collection("error-inside");
    await items.insertOne({ _id: "taken" as never });
    const session = store.begin();
    await items.insertOne({ _id: "first" as never }, { session });

    const refused = await refusal(items.insertOne({ _id: "taken" as never }, { session }));

    expect(refused).toEqual({ code: 11_000, isTransient: false });
    expect(await refusal(session.commitTransaction())).toMatchObject({ code: noSuchTransaction });
    expect(await items.countDocuments()).toBe(1);
  });

  it("does a write once that the driver repeats because the answer was lost", async () => {
    const items = store.collection("lost-answer");
    await items.insertOne({ _id: "c" as never, n: 0 });
    const admin = store.client.db("admin");
    await admin.command({ configureFailPoint: "onPrimaryTransactionalWrite", mode: { times: 1 } });

    const { modifiedCount } = await items.updateOne({ _id: "c" as never }, { $inc: { n: 1 } });
    await admin.command({ configureFailPoint: "onPrimaryTransactionalWrite", mode: "off" });

    expect(modifiedCount).toBe(1);
    expect(await items.findOne({ _id: "c" as never })).toMatchObject({ n: 1 });
  });

  it("answers a repeated commit with ok", async () => {
    const items = store.collection("repeat");
    const session = store.begin();
    await items.insertOne({ name: "once" }, { session });

    await session.commitTransaction();
    await session.commitTransaction();

    expect(await items.countDocuments()).toBe(1);
  });

  it("sees no torn sum while transfers run", async () => {
    const accounts = store.collection("torn");
    await accounts.insertMany(Array.from({ length: 6 }, (_, n) => ({ _id: n as never, balance: 100 })));
    let isRunning = true;
    const transfer = async (from: number, to: number) => {
      await store.client.withSession((session) =>
        session.withTransaction(async () => {
          await accounts.updateOne({ _id: from as never }, { $inc: { balance: -1 } }, { session });
          await accounts.updateOne({ _id: to as never }, { $inc: { balance: 1 } }, { session });
        }),
      );
    };
    const writer = async (offset: number) => {
      for (let round = 0; round < 40; round += 1) await transfer((round + offset) % 6, (round + 2 * offset + 1) % 6);
    };
    const sums = new Set<number>();
    const reader = async () => {
      while (isRunning) {
        const session = store.begin();
        let sum = 0;
        for (let id = 0; id < 6; id += 1)
          sum += (await accounts.findOne({ _id: id as never }, { session }))?.["balance"];
        sums.add(sum);
        await session.commitTransaction();
      }
    };

    const reading = Promise.all([reader(), reader()]);
    await Promise.all([writer(0), writer(1), writer(2)]);
    isRunning = false;
    await reading;

    expect([...sums]).toEqual([600]);
  });
});
