import { type Connection, Schema } from "mongoose";
import { plusMs, systemClock } from "../../shared/kernel/clock";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { changeAll } from "../../shared/storage/one-command";
import { date, integer, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Release } from "../domain/command";
import type { Block, PromiseAccount } from "../domain/promise";

interface AccountRecord {
  /** `<path>/<asset>`. */
  _id: string;
  /** Counts grants and changes of the floor: two concurrent ones conflict here. */
  version: number;
  /** The amount released of closed blocks. */
  released: bigint;
  floor?: bigint;
}

interface BlockRecord extends Omit<Block, "id" | "released"> {
  _id: string;
  /** Set while any part of the block is still promised. */
  openKey?: string;
  purgeAt?: Date;
}

interface ReleaseRecord {
  /** `<block>/<shard>`: concurrent releases rarely meet. */
  _id: string;
  block: string;
  minor: bigint;
}

export interface PromiseStore {
  init(): Promise<void>;
  /** Counts promises that are no longer needed, in the transaction of the facts that end them. */
  release(tx: Tx, releases: readonly Release[], shard: number): Promise<void>;
  findBlock(tx: Tx, id: string): Promise<Block | undefined>;
  /** Reads an account's floor, counter and open blocks. */
  load(tx: Tx, path: string, asset: string): Promise<PromiseAccount>;
  /** Stores a new block, and closes the finished ones. Concurrent writers on the same account conflict. */
  grant(tx: Tx, block: Block, finished: readonly Block[]): Promise<void>;
  returnUnused(tx: Tx, id: string, unused: bigint): Promise<void>;
  setFloor(tx: Tx, path: string, asset: string, floor: bigint | undefined): Promise<void>;
  /** Returns a holder's open blocks: first those that are not returned, then the others, each the oldest first. */
  heldBy(tx: Tx, holder: string): Promise<Block[]>;
}

/** How long a closed block answers a repeat of its call. */
const keptMs = 30 * 86_400_000;
const mostHeld = 1_000;

const isOpen = { partialFilterExpression: { openKey: { $exists: true } } };
const accountSchema = new Schema<AccountRecord>(
  { _id: text, version: number, released: integer, floor: BigInt },
  strictDocument,
);
const blockSchema = new Schema<BlockRecord>(
  {
    _id: text,
    holder: text,
    path: text,
    asset: text,
    wanted: integer,
    least: integer,
    granted: integer,
    available: integer,
    counter: integer,
    takenAt: date,
    returned: BigInt,
    openKey: String,
    purgeAt: Date,
  },
  strictDocument,
)
  .index({ openKey: 1, _id: 1 }, isOpen)
  .index({ holder: 1, openKey: 1 }, isOpen)
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const releaseSchema = new Schema<ReleaseRecord>({ _id: text, block: text, minor: integer }, strictDocument).index({
  block: 1,
});

const accountId = (path: string, asset: string): string => `${path}/${asset}`;

const modelsOf = (connection: Connection) => [
  connection.model("PromiseAccount", accountSchema, "promise_accounts"),
  connection.model("PromiseBlock", blockSchema, "promise_blocks"),
  connection.model("PromiseRelease", releaseSchema, "promise_releases"),
];

async function initModels(models: ReturnType<typeof modelsOf>): Promise<void> {
  for (const model of models) {
    await model.createCollection();
    await model.createIndexes();
  }
}

/** Stores blocks of promises, a few per process, and the amounts released of them. */
export function makePromiseStore(connection: Connection): PromiseStore {
  const models = modelsOf(connection);
  const accounts = driverDb(connection).collection<AccountRecord>("promise_accounts");
  const blocks = driverDb(connection).collection<BlockRecord>("promise_blocks");
  const releases = driverDb(connection).collection<ReleaseRecord>("promise_releases");
  const withReleased = async ({ session }: Tx, found: readonly BlockRecord[]): Promise<Block[]> => {
    if (found.length === 0) return [];
    const parts = await releases.find({ block: { $in: found.map(({ _id }) => _id) } }, { session }).toArray();
    const sums = new Map<string, bigint>();
    for (const { block, minor } of parts) sums.set(block, (sums.get(block) ?? 0n) + minor);
    return found.map((record) => toBlock(record, sums.get(record._id) ?? 0n));
  };
  return {
    init: () => initModels(models),
    async release(tx, added, shard) {
      const sums = new Map<string, bigint>();
      for (const { blockId, minor } of added) sums.set(blockId, (sums.get(blockId) ?? 0n) + minor);
      const changes = Array.from(sums, ([block, minor]) => {
        const update = { $inc: { minor }, $setOnInsert: { block } };
        return { filter: { _id: `${block}/${shard}` }, update, upsert: true };
      });
      await changeAll(tx, releases, changes);
    },
    async findBlock(tx, id) {
      const record = await blocks.findOne({ _id: id }, { session: tx.session });
      return record === null ? undefined : (await withReleased(tx, [record]))[0];
    },
    async load(tx, path, asset) {
      const { session } = tx;
      const key = accountId(path, asset);
      const record = await accounts.findOne({ _id: key }, { session });
      const open = await blocks.find({ openKey: key }, { session }).sort({ openKey: 1, _id: 1 }).toArray();
      return { floor: record?.floor, released: record?.released ?? 0n, open: await withReleased(tx, open) };
    },
    async grant({ session }, { id, released: _released, ...block }, finished) {
      const key = accountId(block.path, block.asset);
      const released = finished.reduce((sum, one) => sum + one.released, 0n);
      await accounts.updateOne({ _id: key }, { $inc: { version: 1, released } }, { session, upsert: true });
      await blocks.insertOne({ _id: id, ...block, openKey: key }, { session });
      if (finished.length === 0) return;
      const ids = finished.map((one) => one.id);
      const purgeAt = plusMs(systemClock.now(), keptMs);
      const closed = { $unset: { openKey: "" as const }, $set: { purgeAt } };
      await blocks.updateMany({ _id: { $in: ids } }, closed, { session });
      await releases.deleteMany({ block: { $in: ids } }, { session });
    },
    async returnUnused({ session }, id, unused) {
      await blocks.updateOne({ _id: id }, { $set: { returned: unused } }, { session });
    },
    async setFloor({ session }, path, asset, floor) {
      const change = floor === undefined ? { $unset: { floor: "" as const } } : { $set: { floor } };
      const update = { $inc: { version: 1 }, $setOnInsert: { released: 0n }, ...change };
      await accounts.updateOne({ _id: accountId(path, asset) }, update, { session, upsert: true });
    },
    async heldBy(tx, holder) {
      const filter = { holder, openKey: { $exists: true } };
      const found = await blocks.find(filter, { session: tx.session }).sort({ holder: 1, openKey: 1 }).toArray();
      const isReturned = ({ returned }: BlockRecord): number => (returned === undefined ? 0 : 1);
      const byAge = (a: BlockRecord, b: BlockRecord): number => a.takenAt.getTime() - b.takenAt.getTime();
      const oldest = found.toSorted((a, b) => isReturned(a) - isReturned(b) || byAge(a, b));
      return withReleased(tx, oldest.slice(0, mostHeld));
    },
  };
}

const toBlock = (
  { _id, openKey: _open, purgeAt: _purge, returned, ...block }: BlockRecord,
  released: bigint,
): Block => ({
  ...block,
  id: _id,
  returned,
  released,
});
