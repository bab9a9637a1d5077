import { randomBytes } from "node:crypto";
import { makeDocumentFiles } from "../../../services/identity/store/document-files";
import { startUploadSweep } from "../../../services/identity/workers/upload-sweep";
import { type Clock, plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { until } from "../../support/platform-client";
import { startTestStore, type TestStore } from "../../support/testbed";

const pieceBytes = 64 * 1024;
const minute = 60_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

describe("abandoned uploads", () => {
  let store: TestStore;
  let mongo: Mongo;
  let offsetMs = 0;
  const clock: Clock = { now: () => plusMs(systemClock.now(), offsetMs) };
  const filesOf = () => makeDocumentFiles(mongo.connection, { pieceBytes, clock });
  let files: ReturnType<typeof filesOf>;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("uploads");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    files = filesOf();
    await files.init();
  }, 60_000);
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });
  beforeEach(() => {
    offsetMs = 0;
  });

  const freshId = (): string => randomBytes(12).toString("hex");
  async function* pieces(count: number): AsyncGenerator<Buffer> {
    for (let index = 0; index < count; index += 1) yield randomBytes(pieceBytes);
  }
  /** The file's pieces, its entry and its record, as they are stored. */
  const left = async (fileId: string): Promise<number[]> => {
    const { connection } = mongo;
    const ofFile = async (name: string, field: string): Promise<number> =>
      (await connection.collection(name).find({}).toArray()).filter((one) => String(one[field]) === fileId).length;
    return Promise.all([
      ofFile("documentFiles.chunks", "files_id"),
      ofFile("documentFiles.files", "_id"),
      ofFile("documentUploads", "_id"),
    ]);
  };
  /** An upload whose process dies after some pieces: nothing of it goes on, and nothing of it ends. */
  async function crashed(count: number): Promise<string> {
    const fileId = freshId();
    async function* cutShort(): AsyncGenerator<Buffer> {
      yield* pieces(count);
      await new Promise(() => undefined);
    }
    void files.write(fileId, cutShort());
    await until(
      () => left(fileId),
      ([chunks]) => chunks === count,
    );
    return fileId;
  }
  async function written(): Promise<string> {
    const fileId = freshId();
    await files.write(fileId, pieces(2));
    return fileId;
  }
  const settle = (fileId: string): Promise<boolean> => mongo.transact((tx) => files.settle(fileId, tx));
  /** Some replicas sweep once, at the same time. */
  const sweep = async (replicas = 1): Promise<void> => {
    const sweeps = Array.from({ length: replicas }, () => startUploadSweep({ files, clock, logger: silent }));
    await Promise.all(sweeps.map((one) => one.stop()));
  };

  it("are removed after five minutes, wherever their process died, and not before", async () => {
    const broken = [await crashed(0), await crashed(1), await crashed(3)];
    const unnamed = await written();
    offsetMs = 4 * minute + 50_000;
    await sweep();
    expect(await Promise.all([...broken, unnamed].map(left))).toEqual([
      [0, 0, 1],
      [1, 0, 1],
      [3, 0, 1],
      [2, 1, 1],
    ]);

    offsetMs = 5 * minute + 1_000;
    await sweep();

    expect(await Promise.all([...broken, unnamed].map(left))).toEqual([...broken, unnamed].map(() => [0, 0, 0]));
  });

  it("are removed alone: what a document names stays, and so does what is coming", async () => {
    const named = await written();
    await settle(named);
    offsetMs = 10 * minute;
    const coming = await crashed(2);
    await sweep(2);

    expect(await left(named)).toEqual([2, 1, 0]);
    expect(await left(coming)).toEqual([2, 0, 1]);
    await files.giveUp(named);
    expect(await left(named)).toEqual([2, 1, 0]);
  });

  it("are removed by two replicas at once as by one", async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => written()));
    offsetMs = 6 * minute;
    await sweep(2);

    expect(await Promise.all(many.map(left))).toEqual(many.map(() => [0, 0, 0]));
  });

  it("become documents or are removed, and nothing between, when that happens at once", async () => {
    const many = await Promise.all(Array.from({ length: 24 }, () => written()));
    offsetMs = 6 * minute;
    const [settled] = await Promise.all([Promise.all(many.map(settle)), sweep(2)]);

    expect(await Promise.all(many.map(left))).toEqual(settled.map((isKept) => (isKept ? [2, 1, 0] : [0, 0, 0])));
  });

  it("can no longer be settled once they are given up, even if their bytes are still there", async () => {
    const fileId = await written();
    const uploads = mongo.connection.collection<{ _id: string }>("documentUploads");
    await uploads.updateOne({ _id: fileId }, { $set: { isGivenUp: true } });

    expect(await settle(fileId)).toBe(false);
    offsetMs = 6 * minute;
    await sweep();
    expect(await left(fileId)).toEqual([0, 0, 0]);
  });
});
