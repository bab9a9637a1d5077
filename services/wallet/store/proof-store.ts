import type { Connection } from "mongoose";
import { driverDb } from "../../shared/storage/mongo";
import type { ProofLine } from "../domain/proof";

/** What the books came to at the end of a day. */
export interface DailyProof {
  /** YYYY-MM-DD, UTC. */
  day: string;
  madeAt: Date;
  lines: readonly ProofLine[];
  /** Every account with what it held. */
  accounts: readonly { path: string; asset: string; minor: bigint }[];
  /** Breaks that nobody had resolved when it was made, by class. */
  breaks: Readonly<Record<string, number>>;
}

export interface ProofStore {
  init(): Promise<void>;
  has(day: string): Promise<boolean>;
  /** Keeps a proof; one that is there stays. */
  add(proof: DailyProof): Promise<void>;
  find(day: string): Promise<DailyProof | undefined>;
}

/** Daily proofs, kept for ever. */
export function makeProofStore(connection: Connection): ProofStore {
  const proofs = driverDb(connection).collection<Omit<DailyProof, "day"> & { _id: string }>("daily_proofs");
  return {
    async init() {
      await connection.createCollection("daily_proofs");
    },
    has: async (day) => (await proofs.countDocuments({ _id: day }, { limit: 1 })) > 0,
    async add({ day, ...proof }) {
      await proofs.updateOne({ _id: day }, { $setOnInsert: proof }, { upsert: true });
    },
    async find(day) {
      const record = await proofs.findOne({ _id: day });
      if (record === null) return undefined;
      const { _id, ...proof } = record;
      return { day: _id, ...proof };
    },
  };
}
