import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { type Connection, mongo, Schema } from "mongoose";
import type { Clock } from "../../shared/kernel/clock";
import { withinMs } from "../../shared/process/within-ms";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";

/** The sealed bytes of documents. Every piece is one chunk. */
export interface DocumentFiles {
  init(): Promise<void>;
  /** Stores pieces in order, as they arrive. If one fails, none of them stays; a file that is never settled is `unsettled`. */
  write(fileId: string, pieces: AsyncIterable<Buffer>): Promise<void>;
  /** Notes that a document refers to the file. Returns false when it was given up meanwhile. */
  settle(fileId: string, tx: Tx): Promise<boolean>;
  piece(fileId: string, index: number): Promise<Buffer | undefined>;
  /** Removes a file; a repeat changes nothing. */
  remove(fileId: string): Promise<void>;
  /** Removes a file that no document refers to; one that was settled meanwhile stays as it is. */
  giveUp(fileId: string): Promise<void>;
  /** Files that were begun before a time and not settled. */
  unsettled(before: Date, limit: number): Promise<string[]>;
}

interface UploadRecord {
  _id: string;
  startedAt: Date;
  /** True from before its bytes are removed: it can no longer be settled. */
  isGivenUp?: boolean;
}

const bucketName = "documentFiles";
/** A little less than the time for answering a request. */
const answeredWithinMs = 8_000;
const removedWithinMs = 2_000;
const uploadSchema = new Schema<UploadRecord>({ _id: text, startedAt: date, isGivenUp: Boolean }, strictDocument);
uploadSchema.index({ startedAt: 1 });

export interface DocumentFilesOptions {
  pieceBytes: number;
  /** Real time: the duration of an upload depends on the network. */
  clock: Clock;
}

const taken = (upload: Writable, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    upload.write(piece, (error) => (error ? reject(error) : resolve()));
  });

async function ended(upload: Writable): Promise<void> {
  const end = finished(upload);
  upload.end();
  await end;
}

/** Files in GridFS. An upload is recorded before its first byte, so that a crash leaves nothing behind for long. */
export function makeDocumentFiles(connection: Connection, { pieceBytes, clock }: DocumentFilesOptions): DocumentFiles {
  const model = connection.model("DocumentUpload", uploadSchema, "documentUploads");
  const db = driverDb(connection);
  const bucket = new mongo.GridFSBucket(db, { bucketName, chunkSizeBytes: pieceBytes });
  const files = db.collection<{ _id: mongo.ObjectId }>(`${bucketName}.files`);
  const chunks = db.collection<{ files_id: mongo.ObjectId; n: number; data: mongo.Binary }>(`${bucketName}.chunks`);
  const removeBytes = async (fileId: string): Promise<void> => {
    const id = new mongo.ObjectId(fileId);
    await files.deleteOne({ _id: id });
    await chunks.deleteMany({ files_id: id });
  };
  const remove = async (fileId: string): Promise<void> => {
    await removeBytes(fileId);
    await model.deleteOne({ _id: fileId });
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
      await files.createIndex({ filename: 1, uploadDate: 1 });
      await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
    },
    async write(fileId, pieces) {
      await withinMs(model.create({ _id: fileId, startedAt: clock.now() }), answeredWithinMs);
      const upload = bucket.openUploadStreamWithId(new mongo.ObjectId(fileId), fileId);
      try {
        // The sender determines how long the pieces take to arrive; the store has a time limit for each of them.
        for await (const piece of pieces) await withinMs(taken(upload, piece), answeredWithinMs);
        await withinMs(ended(upload), answeredWithinMs);
      } catch (error) {
        upload.destroy();
        // The record stays: a piece in flight may arrive after this. The sweep removes what a hanging store keeps.
        await withinMs(removeBytes(fileId), removedWithinMs).catch(() => undefined);
        throw error;
      }
    },
    async settle(fileId, tx) {
      return (await model.deleteOne({ _id: fileId, isGivenUp: { $exists: false } }, tx)).deletedCount === 1;
    },
    async piece(fileId, index) {
      const found = await chunks.findOne({ files_id: new mongo.ObjectId(fileId), n: index });
      return found === null ? undefined : Buffer.from(found.data.value());
    },
    remove,
    async giveUp(fileId) {
      const { matchedCount } = await model.updateOne({ _id: fileId }, { $set: { isGivenUp: true } });
      if (matchedCount === 1) await remove(fileId);
    },
    async unsettled(before, limit) {
      const found = await model
        .find({ startedAt: { $lt: before } })
        .sort({ startedAt: 1 })
        .limit(limit)
        .lean<UploadRecord[]>();
      return found.map(({ _id }) => _id);
    },
  };
}
