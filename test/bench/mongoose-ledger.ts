import { randomUUID } from "node:crypto";
import mongoose, { Schema } from "mongoose";

/** A ledger as one writes it with mongoose documents: balances, entries and a unique transfer in one transaction. */
export async function makeMongooseLedger(
  count: number,
): Promise<{ ids: string[]; transfer(from: string, to: string): Promise<void> }> {
  const Wallet = mongoose.model(
    "BenchWallet",
    new Schema({ walletId: { type: String, unique: true }, available: Number }, { optimisticConcurrency: true }),
  );
  const Entry = mongoose.model(
    "BenchEntry",
    new Schema({
      walletId: { type: String, index: true },
      transferId: String,
      amount: Number,
      after: Number,
      createdAt: Date,
    }),
  );
  const Transfer = mongoose.model(
    "BenchTransfer",
    new Schema({ externalId: { type: String, unique: true }, from: String, to: String, amount: Number }),
  );
  await Promise.all([Wallet.init(), Entry.init(), Transfer.init()]);
  const ids = Array.from({ length: count }, (_, index) => `w-${index}`);
  await Wallet.insertMany(ids.map((walletId) => ({ walletId, available: 1_000_000 })));
  return {
    ids,
    async transfer(from, to) {
      await mongoose.connection.transaction(async (session) => {
        const source = await Wallet.findOne({ walletId: from }).session(session);
        const target = await Wallet.findOne({ walletId: to }).session(session);
        if (source?.available == null || target?.available == null || source.available < 1) throw new Error("no funds");
        source.available -= 1;
        target.available += 1;
        await source.save({ session });
        await target.save({ session });
        const [transferId, createdAt] = [randomUUID(), new Date()];
        const entries = [
          { walletId: from, transferId, amount: -1, after: source.available, createdAt },
          { walletId: to, transferId, amount: 1, after: target.available, createdAt },
        ];
        await Entry.create(entries, { session, ordered: true });
        await Transfer.create([{ externalId: transferId, from, to, amount: 1 }], { session });
      });
    },
  };
}
