import { type Connection, Schema } from "mongoose";
import type { DataKeys } from "../../shared/storage/data-keys";
import { isDuplicateKey } from "../../shared/storage/mongo";
import { anyText, date, flag, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import type { CardCheck, CardReport, CardVerdict } from "../domain/card-check";

/** Verdicts about cards, found by tenant, names and card token. */
export interface CardVerdictStore {
  init(): Promise<void>;
  find(tenant: string, check: CardCheck): Promise<CardVerdict | undefined>;
  /** Stores the first verdict, and returns the one that is stored. */
  keep(tenant: string, check: CardCheck, verdict: CardVerdict): Promise<CardVerdict>;
}

interface VerdictRecord {
  /** A keyed hash, from which the names cannot be guessed. */
  _id: string;
  tenant: string;
  externalId: string;
  paymentId: string;
  report: CardReport;
  /** The sender's name, address, e-mail and phone number, sealed. */
  personal: string;
  createdAt: Date;
}

const capability = part({ capable: flag, highPerforming: flag, lowPerforming: flag });
const report = part({
  status: oneOf(["VERIFIED", "DECLINED", "CHALLENGE"]),
  redirectAcsUrl: anyText,
  scheme: anyText,
  category: anyText,
  issuerName: anyText,
  issuerCountry: anyText,
  bin: anyText,
  lastFour: anyText,
  avs: anyText,
  cvc: anyText,
  cardholderName: anyText,
  oct: capability,
  aft: capability,
});
const verdictSchema = new Schema<VerdictRecord>(
  {
    _id: text,
    tenant: text,
    externalId: text,
    paymentId: text,
    report: { type: report, required: true },
    personal: text,
    createdAt: date,
  },
  strictDocument,
);

export function makeCardVerdictStore(connection: Connection, keys: Pick<DataKeys, "of">): CardVerdictStore {
  const verdicts = connection.model("CardVerdict", verdictSchema, "card_verdicts");
  const idOf = async (tenant: string, { firstName, lastName, cardToken }: CardCheck): Promise<string> =>
    (await keys.of(tenant)).index("card_verdicts", firstName, lastName, cardToken);
  const find = async (id: string): Promise<CardVerdict | undefined> => {
    const found = await verdicts.findById(id).lean<VerdictRecord>();
    return found === null ? undefined : toVerdict(found);
  };
  return {
    async init() {
      await verdicts.createCollection();
    },
    find: async (tenant, check) => find(await idOf(tenant, check)),
    async keep(tenant, check, { paymentId, createdAt, report }) {
      const _id = await idOf(tenant, check);
      const { externalId, firstName, lastName, email, phoneNumber, address } = check;
      const personal = JSON.stringify({ firstName, lastName, email, phoneNumber, address });
      const sealed = (await keys.of(tenant)).seal(personal, `${tenant}|card_verdicts|${_id}|personal`);
      try {
        await verdicts.create({ _id, tenant, externalId, paymentId, report, personal: sealed, createdAt });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const kept = await find(_id);
      return kept ?? { paymentId, createdAt, report };
    },
  };
}

/** Restores fields: the driver returns null for those that were undefined. */
const toVerdict = ({ paymentId, createdAt, report }: VerdictRecord): CardVerdict => ({
  paymentId,
  createdAt,
  report: { ...report, oct: report.oct ?? undefined, aft: report.aft ?? undefined },
});
