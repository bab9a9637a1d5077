import { openStoreUnderTest, refusal, type StoreUnderTest } from "./store";

const duplicateKey = 11_000;
const count = 1_500;

/** Statements and cursors over many documents: the store holds neither all of them nor their changes in memory. */
describe("many documents", () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await openStoreUnderTest();
  });

  afterAll(() => store.stop());

  async function filled(name: string) {
    const items = store.collection(name);
    await items.createIndex({ n: 1 });
    await items.insertMany(Array.from({ length: count }, (_, n) => ({ n, text: `item ${n}` })));
    return items;
  }
  const numbers = Array.from({ length: count }, (_, n) => n);

  it("changes each document once, although the change moves it along the index that finds it", async () => {
    const items = await filled("moved");

    const { modifiedCount } = await items.updateMany({ n: { $gte: 0 } }, { $inc: { n: 10 } }, { hint: "n_1" });

    const found = await items.find().sort({ n: 1 }).toArray();
    expect(modifiedCount).toBe(count);
    expect(found.map(({ n }) => n)).toEqual(numbers.map((n) => n + 10));
  });

  it("changes each document once, although it had to wait for a transaction halfway", async () => {
    const items = await filled("halfway");
    const session = store.begin();
    await items.updateOne({ n: count / 2 }, { $set: { text: "held" } }, { session });

    const outside = items.updateMany({ n: { $gte: 0 } }, { $inc: { n: 10 }, $push: { seen: 1 } } as never);
    await Promise.race([outside, new Promise((resolve) => setTimeout(resolve, 150))]);
    await session.commitTransaction();
    await outside;

    const found = await items.find().sort({ n: 1 }).toArray();
    expect(found.map(({ n, seen }) => [n, seen])).toEqual(numbers.map((n) => [n + 10, [1]]));
    expect(found[count / 2]).toMatchObject({ text: "held" });
  });

  it("keeps what was done before a refused document", async () => {
    const items = store.collection("refused");
    await items.createIndex({ key: 1 }, { unique: true });
    await items.insertMany([1, 2, 3].map((key) => ({ _id: key as never, key })));

    const refused = await refusal(items.updateMany({}, { $set: { key: 9 } }));

    expect(refused).toMatchObject({ code: duplicateKey });
    expect((await items.find().sort({ _id: 1 }).toArray()).map(({ key }) => key)).toEqual([9, 2, 3]);
  });

  it.each([3, 1_200])("reads the kept fields of %i documents by their ids, each once", async (wanted) => {
    const items = store.collection(`named-${wanted}`);
    const idOf = (n: number) => `item ${n}` as never;
    await items.insertMany(
      numbers.map((n) => ({
        _id: idOf(n),
        n,
        deep: { kept: n, left: "x" },
        list: [{ kept: 1, left: 2 }],
        text: "left",
      })),
    );
    const ids = numbers.slice(100, 100 + wanted).map(idOf);

    const found = items
      .find({ _id: { $in: [...ids, ids[0] as never, "nobody" as never] } })
      .project({ n: 1, "deep.kept": 1, "list.kept": 1, missing: 1 });

    const rows = (await found.toArray()).sort((one, other) => one["n"] - other["n"]);
    expect(rows).toEqual(ids.map((_id, at) => ({ _id, n: 100 + at, deep: { kept: 100 + at }, list: [{ kept: 1 }] })));
  });

  it("reads a cursor on while the documents before it change", async () => {
    const items = await filled("read-on");
    const cursor = items.find({ n: { $gte: 0 } }, { batchSize: 100 }).sort({ n: 1 });
    const seen: number[] = [];

    for await (const { n } of cursor) {
      seen.push(n);
      if (n % 100 === 50) await items.updateOne({ n }, { $set: { text: "seen" } });
    }

    expect(seen).toEqual(numbers);
    expect(await items.countDocuments({ n: { $gte: 0 }, text: "seen" })).toBe(count / 100);
  });

  it("fixes what a cursor in a transaction finds, whatever others commit", async () => {
    const items = await filled("fixed");
    const session = store.begin();
    const cursor = items.find({}, { session, batchSize: 100 }).sort({ n: -1 });
    expect(await cursor.next()).toMatchObject({ n: count - 1 });

    await items.updateMany({}, { $inc: { n: count } });
    await items.deleteMany({ n: { $lt: count + 500 } });

    expect((await cursor.toArray()).map(({ n }) => n)).toEqual(numbers.toReversed().slice(1));
    await session.abortTransaction();
  });

  it("lists more collections and indexes than one batch holds", async () => {
    const names = ["list-a", "list-b", "list-c"];
    for (const name of names) await store.collection(name).createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);

    const filter = { name: { $in: names } };
    const listed = await store.database.listCollections(filter, { batchSize: 1, nameOnly: true }).toArray();
    const indexes = await store.collection("list-a").listIndexes({ batchSize: 1 }).toArray();

    expect(listed.map(({ name }) => name).sort()).toEqual(names);
    expect(indexes.map(({ name }) => name)).toEqual(["_id_", "a_1", "b_1"]);
  });

  it("ends a cursor with an error when its collection is dropped", async () => {
    const items = await filled("dropped");
    const cursor = items.find({}, { batchSize: 100 });
    await cursor.next();

    await items.drop();

    expect((await refusal(cursor.toArray())).code).toBe(175);
  });
});
