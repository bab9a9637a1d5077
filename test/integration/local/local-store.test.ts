import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { startEmbeddedStore } from "../../../local/embedded-store/start";
import { type ChosenStore, chooseStore, codesOf, type StoreChoice } from "../../../local/local-store";

const freshDir = (): string => mkdtempSync(join(tmpdir(), "corridor-store-"));
const running: ChosenStore[] = [];
const lines: string[] = [];

async function choose(choice: Omit<StoreChoice, "log">): Promise<ChosenStore> {
  const store = await chooseStore({ env: {}, log: (line) => lines.push(line), ...choice });
  running.push(store);
  return store;
}

async function withWords<T>(uri: string, use: (words: mongo.Collection) => Promise<T>): Promise<T> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 30_000 });
  try {
    return await use(client.db("kept").collection("words"));
  } finally {
    await client.close();
  }
}

/** A folder for PATH whose mongod is the fake one. */
function folderWithMongod(): string {
  const folder = freshDir();
  const program = join(__dirname, "fake-mongod.js");
  writeFileSync(join(folder, "mongod"), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, { mode: 0o755 });
  return folder;
}

describe("chooseStore", () => {
  afterEach(async () => {
    await Promise.all(running.splice(0).map((store) => store.stop()));
    lines.length = 0;
  });

  it("falls back to the embedded store, and says so", async () => {
    const dir = freshDir();
    const first = await choose({ dir });
    await withWords(first.uri, (words) => words.insertOne({ word: "durable" }));
    await running.pop()?.stop();

    const second = await choose({ dir });

    expect(await withWords(second.uri, (words) => words.countDocuments({ word: "durable" }))).toBe(1);
    expect(second.kind).toBe("embedded");
    expect(lines[0]).toBe("store: embedded (there is no MONGODB_URI and no mongod on PATH)");
  });

  it("runs the embedded store as a process that can be killed and started again", async () => {
    const store = await choose({ dir: freshDir(), spawned: true });
    await withWords(store.uri, (words) => words.insertOne({ word: "durable" }));

    await store.process?.end("SIGKILL");
    await store.process?.start();

    expect(await withWords(store.uri, (words) => words.countDocuments({ word: "durable" }))).toBe(1);
  });

  it("prefers MONGODB_URI", async () => {
    const PATH = folderWithMongod();
    const { uri } = await choose({ dir: freshDir(), env: { PATH } });

    const store = await choose({ dir: freshDir(), env: { PATH, MONGODB_URI: uri } });

    expect(store).toMatchObject({ kind: "configured", uri, process: undefined });
  });

  it("refuses a MONGODB_URI that does not answer, says by which code and does not repeat its password", async () => {
    const MONGODB_URI = "mongodb://user:secret@127.0.0.1:9/";

    await expect(choose({ dir: freshDir(), env: { MONGODB_URI } })).rejects.toThrow(
      /^(?!.*secret).*does not answer: MongoServerSelectionError.*ECONNREFUSED/,
    );
  });

  it("refuses a MONGODB_URI of an old version", async () => {
    const old = await startEmbeddedStore({ dir: freshDir(), port: 0, version: "6.0.24", log: () => {} });

    await expect(choose({ dir: freshDir(), env: { MONGODB_URI: old.uri } })).rejects.toThrow(
      "the store is MongoDB 6.0.24, and the lowest supported version is 7.0.0",
    );
    await old.stop();
  });

  it("says who it is to every store, and tells when that is refused", async () => {
    const store = await choose({ dir: freshDir() });
    const client = new mongo.MongoClient(store.uri);
    const hello = (metadata: mongo.Document) => client.db("admin").command({ hello: 1, client: metadata });
    const os = { type: "Linux" };

    await expect(hello({})).rejects.toMatchObject({ code: 183, codeName: "ClientMetadataMissingField" });
    await expect(hello({ os })).rejects.toMatchObject({ code: 183 });
    await expect(hello({ driver: { name: "d", version: "1" } })).rejects.toMatchObject({ code: 183 });
    expect(await hello({ driver: { name: "d", version: "1" }, os })).toMatchObject({ ok: 1 });
    await client.close();
  });

  it("names the code with which a store refuses", async () => {
    const store = await choose({ dir: freshDir() });
    const client = await new mongo.MongoClient(store.uri).connect();
    const refused = await client
      .db("admin")
      .command({ none: 1 })
      .catch((error: unknown) => error);
    await client.close();

    expect(codesOf(new Error("outer", { cause: refused }))).toBe("Error, MongoServerError 59 CommandNotFound");
  });

  it("makes a mongod on PATH a replica set of one node", async () => {
    const dir = freshDir();

    const store = await choose({ dir, env: { PATH: folderWithMongod() } });
    const asked = JSON.parse(readFileSync(join(dir, "asked.json"), "utf8"));

    expect(store).toMatchObject({ kind: "mongod", uri: expect.stringMatching(/replicaSet=corridor$/) });
    expect(asked.args).toEqual(expect.arrayContaining(["--bind_ip", "127.0.0.1", "--replSet", "corridor"]));
    expect(asked.config).toMatchObject({ _id: "corridor", members: [{ _id: 0 }] });
  });
});
