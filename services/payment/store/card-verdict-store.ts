import { type Connection, Schema } from "mongoose";
import type { DataKeys } from "../../shared/storage/data-keys";
import { driverDb, isDuplicateKey } from "../../shared/storage/mongo";
import type { CardCheck, CardReport, CardVerdict } from "../domain/card-check";

/** Verdicts about cards, found by tenant, names and card token. */
export interface CardVerdictStore {
  init(): Promise<void>;
  find(tenant: string, check: CardCheck): Promise<CardVerdict | undefined>;
  /** Keeps the first verdict, and returns the one that is kept. */
  keep(tenant: string, check: CardCheck, verdict: CardVerdict): Promise<CardVerdict>;
}

interface VerdictRecord {
  /** A keyed hash: the names cannot be guessed from it. */
  _id: string;
  tenant: string;
  externalId: string;
  paymentId: string;
  report: CardReport;
  /** The sender's name, address, e-mail and phone number, sealed. */
  personal: string;
  createdAt: Date;
}

const schema = new Schema({ _id: String, tenant: { type: String, required: true } }, { strict: false });

export function makeCardVerdictStore(connection: Connection, keys: Pick<DataKeys, "of">): CardVerdictStore {
  const verdicts = driverDb(connection).collection<VerdictRecord>("card_verdicts");
  const idOf = async (tenant: string, { firstName, lastName, cardToken }: CardCheck): Promise<string> =>
    (await keys.of(tenant)).index("card_verdicts", firstName, lastName, cardToken);
  const find = async (id: string): Promise<CardVerdict | undefined> => {
    const found = await verdicts.findOne({ _id: id });
    return found === null ? undefined : toVerdict(found);
  };
  return {
    async init() {
      await connection.model("CardVerdict", schema, "card_verdicts").createCollection();
    },
    find: async (tenant, check) => find(await idOf(tenant, check)),
    async keep(tenant, check, { paymentId, createdAt, report }) {
      const _id = await idOf(tenant, check);
      const { externalId, firstName, lastName, email, phoneNumber, address } = check;
      const personal = JSON.stringify({ firstName, lastName, email, phoneNumber, address });
      const sealed = (await keys.of(tenant)).seal(personal, `${tenant}|card_verdicts|${_id}|personal`);
      try {
        await verdicts.insertOne({ _id, tenant, externalId, paymentId, report, personal: sealed, createdAt });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const kept = await find(_id);
      return kept ?? { paymentId, createdAt, report };
    },
  };
}

/** The driver gives back null for what was undefined. */
const toVerdict = ({ paymentId, createdAt, report }: VerdictRecord): CardVerdict => ({
  paymentId,
  createdAt,
  report: { ...report, oct: report.oct ?? undefined, aft: report.aft ?? undefined },
});
