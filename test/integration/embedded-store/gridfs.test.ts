import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { mongo } from "mongoose";
import { openStoreUnderTest, type StoreUnderTest } from "./store";

const mebibyte = 1024 * 1024;

/** GridFS is plain collections to a store, but it is the driver that fills them, chunk by chunk. */
describe("GridFS", () => {
  let store: StoreUnderTest;
  let bucket: mongo.GridFSBucket;
  let chunks: mongo.Collection;

  beforeAll(async () => {
    store = await openStoreUnderTest();
    bucket = new mongo.GridFSBucket(store.database, { bucketName: "files" });
    chunks = store.collection("files.chunks");
  });

  afterAll(() => store.stop());

  async function put(name: string, content: Buffer): Promise<mongo.ObjectId> {
    const upload = bucket.openUploadStream(name, { metadata: { kind: "scan" } });
    await pipeline(Readable.from([content]), upload);
    return upload.id;
  }

  it("gives back several MiB byte for byte, whole and in part", async () => {
    const content = randomBytes(5 * mebibyte + 17);

    const id = await put("passport.bin", content);

    const [file] = await bucket.find({ _id: id }).toArray();
    expect(file).toMatchObject({ length: content.length, filename: "passport.bin", metadata: { kind: "scan" } });
    expect(await chunks.countDocuments({ files_id: id })).toBe(Math.ceil(content.length / (255 * 1024)));
    expect((await buffer(bucket.openDownloadStream(id))).equals(content)).toBe(true);
    const part = await buffer(bucket.openDownloadStream(id, { start: 3 * mebibyte, end: 4 * mebibyte + 5 }));
    expect(part.equals(content.subarray(3 * mebibyte, 4 * mebibyte + 5))).toBe(true);
  });

  it("keeps files that are written at once apart, and their versions in order", async () => {
    const contents = [1, 2, 3].map((size) => randomBytes(size * mebibyte));

    const ids = await Promise.all(contents.map((content) => put("same.bin", content)));

    const read = await Promise.all(ids.map((id) => buffer(bucket.openDownloadStream(id))));
    expect(read.map((content, at) => content.equals(contents[at] ?? Buffer.alloc(0)))).toEqual([true, true, true]);
    const newest = await put("same.bin", Buffer.from("newest"));
    expect((await buffer(bucket.openDownloadStreamByName("same.bin"))).toString()).toBe("newest");
    await bucket.rename(newest, "other.bin");
    expect(await bucket.find({ filename: "same.bin" }).toArray()).toHaveLength(3);
  });

  it("removes a file with all its chunks, and leaves nothing of an upload that was given up", async () => {
    const id = await put("gone.bin", randomBytes(4 * mebibyte));
    const others = await chunks.countDocuments({ files_id: { $ne: id } });
    const abandoned = bucket.openUploadStream("abandoned.bin");
    await new Promise<void>((done) => abandoned.write(randomBytes(2 * mebibyte), () => done()));

    await bucket.delete(id);
    await abandoned.abort();

    expect(await chunks.countDocuments({})).toBe(others);
    await expect(buffer(bucket.openDownloadStream(id))).rejects.toThrow(/FileNotFound/);
    await expect(bucket.delete(id)).rejects.toThrow(/File not found/);
  });
});
