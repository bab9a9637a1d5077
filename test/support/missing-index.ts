import { mongo } from "mongoose";

const refused = 291;

/** Fails unless this store, when it is the embedded one, refuses to look through 1,001 documents for want of an index. */
export async function expectMissingIndexToFail(uri: string): Promise<void> {
  const client = await mongo.MongoClient.connect(uri);
  const { modules } = await client.db("admin").command({ buildInfo: 1 });
  const documents = client.db("missing-index").collection("documents");
  await documents.insertMany(Array.from({ length: 1_001 }, (_, n) => ({ n })));
  const found = documents.find({ n: { $gte: 0 } }).toArray();
  if (Array.isArray(modules) && modules.includes("corridor-embedded-store"))
    await expect(found).rejects.toMatchObject({ code: refused });
  else expect(await found).toHaveLength(1_001);
  await client.db("missing-index").dropDatabase();
  await client.close();
}
