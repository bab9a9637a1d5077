import { mongo } from "mongoose";
import type { GatheredWrites, TransactionSession as Tx } from "./gathered-writes";

/** A change of one document: the first one that the filter finds. */
export interface DocumentChange {
  filter: object;
  update: object;
  upsert?: boolean;
}

/** Thrown when the store cannot write several collections with one command; the transaction is to be run again. */
export class NoSharedCommand extends Error {}

/** Clients by the sessions of their transactions, since a session does not reveal its client. */
const clients = new WeakMap<object, { client: mongo.MongoClient; database: string }>();

/** Lets transactions of this session write to several collections of a database with one command. */
export const allowOneCommand = (session: object, client: mongo.MongoClient, database: string): void => {
  clients.set(session, { client, database });
};

/** Clients of stores without this command, for as long as the process lives. */
const unable = new WeakSet<object>();

/** Error codes of a store without the command (before 8.0, or upgraded from there), or of one that does not let us use it. */
const refusals: ReadonlySet<unknown> = new Set([13, 59, 115, 263]);

/**
 * Sends everything that `work` writes through the functions below as one command, in order, when `work` is done. None of it is visible
 * before, so `work` must not read what it writes.
 */
export async function inOneCommand(tx: Tx, work: (tx: Tx) => Promise<void>): Promise<void> {
  const own = clients.get(tx.session);
  if (own === undefined || unable.has(own.client)) return work(tx);
  const { client, database } = own;
  const gathered: GatheredWrites = { database, models: [], missed: [] };
  await work({ ...tx, gathered });
  if (gathered.models.length === 0) return;
  const { matchedCount, upsertedCount } = await send(client, gathered, tx);
  const [missed] = gathered.missed;
  if (missed !== undefined && matchedCount + upsertedCount < changesIn(gathered)) throw missed();
}

const changesIn = ({ models }: GatheredWrites): number => models.filter(({ name }) => name === "updateOne").length;

async function send(client: mongo.MongoClient, { models }: GatheredWrites, { session }: Tx) {
  try {
    return await client.bulkWrite(models, { session, ordered: true });
  } catch (error) {
    const own = error instanceof mongo.MongoClientBulkWriteError ? ownError(error) : error;
    if (!(own instanceof mongo.MongoServerError) || !refusals.has(own.code)) throw own;
    unable.add(client);
    throw new NoSharedCommand("the store does not let several collections be written with one command", { cause: own });
  }
}

/** Returns the store's own error, which has the code and says whether the transaction may be run again. */
function ownError(error: mongo.MongoClientBulkWriteError): Error {
  if (error.cause instanceof mongo.MongoServerError) return error.cause;
  const [refused] = error.writeErrors.values();
  return refused === undefined ? error : new mongo.MongoServerError({ message: refused.message, code: refused.code });
}

/** A collection of the driver or of mongoose. */
type Target<T extends mongo.Document> = Pick<
  mongo.Collection<T>,
  "collectionName" | "insertMany" | "bulkWrite" | "deleteMany"
>;

/** Inserts documents. */
export async function insertAll<T extends mongo.Document>(
  { session, gathered }: Tx,
  collection: Target<T>,
  documents: readonly mongo.OptionalUnlessRequiredId<T>[],
): Promise<void> {
  if (documents.length === 0) return;
  if (gathered === undefined) {
    await collection.insertMany(documents, { session });
    return;
  }
  const namespace = `${gathered.database}.${collection.collectionName}`;
  gathered.models.push(...documents.map((document) => ({ name: "insertOne" as const, namespace, document })));
}

/** Changes documents. Throws the error of `missed` unless every change has found its document, or made it. */
export async function changeAll<T extends mongo.Document>(
  { session, gathered }: Tx,
  collection: Target<T>,
  changes: readonly DocumentChange[],
  missed?: () => Error,
): Promise<void> {
  if (changes.length === 0) return;
  if (gathered === undefined) {
    const operations = changes.map((change) => ({ updateOne: change as mongo.UpdateOneModel<T> }));
    const { matchedCount, upsertedCount } = await collection.bulkWrite(operations, { session, ordered: true });
    if (missed !== undefined && matchedCount + upsertedCount < changes.length) throw missed();
    return;
  }
  const namespace = `${gathered.database}.${collection.collectionName}`;
  gathered.models.push(...changes.map((change) => ({ name: "updateOne" as const, namespace, ...change })));
  if (missed !== undefined) gathered.missed.push(missed);
}

/** Removes the documents that a filter finds. */
export async function removeAll<T extends mongo.Document>(
  { session, gathered }: Tx,
  collection: Target<T>,
  filter: mongo.Filter<T>,
): Promise<void> {
  if (gathered === undefined) {
    await collection.deleteMany(filter, { session });
    return;
  }
  const namespace = `${gathered.database}.${collection.collectionName}`;
  gathered.models.push({ name: "deleteMany", namespace, filter: filter as mongo.Document });
}
