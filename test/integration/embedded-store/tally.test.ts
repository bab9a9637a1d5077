import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { type EmbeddedStore, startEmbeddedStore } from "../../../local/embedded-store/start";

describe("what the embedded store counts", () => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-tally-"));
  let store: EmbeddedStore;
  let client: mongo.MongoClient;

  beforeAll(async () => {
    store = await startEmbeddedStore({ dir, port: 0, log: () => {} });
    client = await mongo.MongoClient.connect(store.uri);
  });
  afterAll(async () => {
    await client.close();
    await store.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const read = async () => {
    const { metrics } = await client.db("admin").command({ serverStatus: 1 });
    const { totals } = await client.db("admin").command({ top: 1 });
    return { commands: metrics.commands, document: metrics.document, totals };
  };

  it("tells commands by name, by collection and kind, and the documents that they wrote", async () => {
    const notes = client.db("tally").collection<{ _id: number; text: string }>("notes");

    await notes.insertMany([1, 2, 3].map((_id) => ({ _id, text: "" })));
    await notes.insertOne({ _id: 1, text: "taken" }).catch(() => undefined);
    await notes.updateMany({ _id: { $lte: 2 } }, { $set: { text: "changed" } });
    await notes.updateOne({ _id: 3 }, { $set: { text: "" } });
    await notes.updateOne({ _id: 4 }, { $set: { text: "new" } }, { upsert: true });
    await notes.findOneAndUpdate({ _id: 4 }, { $set: { text: "newer" } });
    await notes.findOneAndDelete({ _id: 4 });
    await notes.deleteMany({});
    await notes.find({ _id: 1 }).toArray();

    const { commands, document, totals } = await read();
    expect(commands).toMatchObject({ insert: { total: 2 }, update: { total: 3 }, delete: { total: 1 } });
    expect(commands).toMatchObject({ find: { total: 1 }, findAndModify: { total: 2 } });
    expect(document).toEqual({ inserted: 4, updated: 3, deleted: 4 });
    const counts = { queries: 1, getmore: 0, insert: 2, update: 3, remove: 1, commands: 2, documents: 11 };
    expect(totals["tally.notes"]).toEqual(
      Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, { time: 0, count }])),
    );
  });

  it("counts what it refuses", async () => {
    await client
      .db("tally")
      .command({ noSuchThing: 1 })
      .catch(() => undefined);

    expect((await read()).commands).toMatchObject({ noSuchThing: { total: 1 } });
  });
});
