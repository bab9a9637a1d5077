import { mongo } from "mongoose";

const refused = 291;

/** Fails unless this store, if it is the embedded one, refuses to scan a collection of one document for lack of an index. */
export async function expectMissingIndexToFail(uri: string): Promise<void> {
  const client = await mongo.MongoClient.connect(uri);
  const { modules } = await client.db("admin").command({ buildInfo: 1 });
  const documents = client.db("missing-index").collection("documents");
  await documents.createIndex({ indexed: 1 }, { partialFilterExpression: { indexed: { $type: "string" } } });
  await documents.insertOne({ n: 1, indexed: "a" });
  // The last query matches the index, but its filter does not imply the index's filter literally.
  const questions = [
    () => documents.find({ n: { $gte: 0 } }).toArray(),
    () => documents.updateMany({ n: 1 }, { $set: { n: 1 } }),
    () => documents.find({}).sort({ n: 1 }).limit(1).toArray(),
    () => documents.find({ indexed: "a" }).toArray(),
  ];
  const isEmbedded = Array.isArray(modules) && modules.includes("corridor-embedded-store");
  for (const ask of questions) {
    if (isEmbedded) await expect(ask()).rejects.toMatchObject({ code: refused });
    else await ask();
  }
  await client.db("missing-index").dropDatabase();
  await client.close();
}
