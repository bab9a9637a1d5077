import { type Connection, Schema } from "mongoose";
import { date, integer, listOf, number, part, strictDocument, text } from "../../shared/storage/stored-fields";
import type { ProofLine } from "../domain/proof";

/** The sums of the books at the end of a day. */
export interface DailyProof {
  /** YYYY-MM-DD, UTC. */
  day: string;
  madeAt: Date;
  lines: readonly ProofLine[];
  /** Every account with its balance. */
  accounts: readonly { path: string; asset: string; minor: bigint }[];
  /** Number of unresolved breaks when the proof was made, by class. */
  breaks: Readonly<Record<string, number>>;
}

type ProofRecord = Omit<DailyProof, "day"> & { _id: string };

export interface ProofStore {
  init(): Promise<void>;
  has(day: string): Promise<boolean>;
  /** Stores a proof; an existing one stays. */
  add(proof: DailyProof): Promise<void>;
  find(day: string): Promise<DailyProof | undefined>;
}

const sums = {
  customers: integer,
  blocked: integer,
  held: integer,
  own: integer,
  unassigned: integer,
  difference: integer,
};
const proofSchema = new Schema<ProofRecord>(
  {
    _id: text,
    madeAt: date,
    lines: listOf(part({ asset: text, ...sums })),
    accounts: listOf(part({ path: text, asset: text, minor: integer })),
    breaks: { type: Map, of: number, required: true },
  },
  strictDocument,
);

/** Stores daily proofs, permanently. */
export function makeProofStore(connection: Connection): ProofStore {
  const model = connection.model("DailyProof", proofSchema, "daily_proofs");
  return {
    async init() {
      await model.createCollection();
    },
    has: async (day) => (await model.exists({ _id: day })) !== null,
    async add({ day, ...proof }) {
      await model.updateOne({ _id: day }, { $setOnInsert: proof }, { upsert: true });
    },
    async find(day) {
      const record = await model.findById(day).lean<ProofRecord>();
      if (record === null) return undefined;
      const { _id, ...proof } = record;
      return { day: _id, ...proof };
    },
  };
}
