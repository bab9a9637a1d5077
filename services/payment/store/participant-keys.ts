import { type Connection, Schema } from "mongoose";
import { makeSealer } from "../../shared/crypto/sealing";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { driverDb, isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import { number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { PayoutAccount } from "../domain/payout-account";

type Participant = Pick<PayoutAccount, "tenant" | "participantId">;

/** The keys of participants' data, one for each participant, themselves sealed. */
export interface ParticipantKeys {
  init(): Promise<void>;
  /** Makes a participant's key unless there is one, or there was one. */
  make(participant: Participant): Promise<void>;
  /** Returns the key, which is made at its first use; undefined once it was destroyed. */
  find(participant: Participant): Promise<Buffer | undefined>;
  /** Returns the key for what is sealed in this transaction. Throws PARTICIPANT_NOT_FOUND when it was destroyed. */
  use(participant: Participant, tx: Tx): Promise<Buffer>;
  /** Destroys the key permanently, even if it was never made. */
  destroy(participant: Participant, tx: Tx): Promise<void>;
  /** Returns what is to be resealed under the newest sealing key: only the keys; what they have sealed stays as it is. */
  renewal(ring: string): KeyUse;
}

export interface ParticipantKeysOptions {
  connection: Connection;
  /** Sealing keys of 32 bytes: the first one seals the keys, and each of them opens what it sealed. */
  sealingKeys: readonly Buffer[];
  ids: Pick<Ids, "bytes">;
}

interface KeyRecord {
  /** Tenant and participant. */
  _id: string;
  tenant: string;
  /** Sealed; null once the participant was erased. */
  key: string | null;
  uses: number;
}

const collection = "participant_keys";
const keySchema = new Schema<KeyRecord>(
  { _id: text, tenant: text, key: { type: String, default: null }, uses: number },
  strictDocument,
);

const idOf = ({ tenant, participantId }: Participant): string => `${tenant}/${participantId}`;
const placeOf = (tenant: string, id: string): string => `${tenant}|${collection}|${id}|key`;

/** Collection `participant_keys`. Hot: many payments concern the same people. */
export function makeParticipantKeys({ connection, sealingKeys, ids }: ParticipantKeysOptions): ParticipantKeys {
  const model = connection.model("ParticipantKey", keySchema, collection);
  const keys = driverDb(connection).collection<KeyRecord>(collection);
  const sealer = makeSealer(sealingKeys, ids);
  const make: ParticipantKeys["make"] = async (participant) => {
    const { tenant } = participant;
    const _id = idOf(participant);
    if ((await keys.findOne({ _id }, { projection: { _id: 1 } })) !== null) return;
    try {
      await keys.insertOne({ _id, tenant, key: sealer.seal(ids.bytes(32), placeOf(tenant, _id)), uses: 0 });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  };
  return {
    make,
    async find(participant) {
      const { tenant } = participant;
      const _id = idOf(participant);
      const fresh = { tenant, key: sealer.seal(ids.bytes(32), placeOf(tenant, _id)), uses: 0 };
      const readOrMake = () =>
        keys.findOneAndUpdate({ _id }, { $setOnInsert: fresh }, { upsert: true, returnDocument: "after" });
      // Of two concurrent attempts to make it, one is refused and then finds the other's key.
      const found = await readOrMake().catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return readOrMake();
      });
      return typeof found?.key === "string" ? sealer.open(found.key, placeOf(tenant, _id)) : undefined;
    },
    async init() {
      await model.createCollection();
    },
    async use(participant, tx) {
      const _id = idOf(participant);
      // Of this and a concurrent destruction, one starts again, since both write the document.
      await keys.updateOne({ _id, key: { $ne: null } }, { $inc: { uses: 1 } }, tx);
      const found = await keys.findOne({ _id }, tx);
      if (typeof found?.key === "string") return sealer.open(found.key, placeOf(participant.tenant, _id));
      throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
    },
    async destroy(participant, tx) {
      const { tenant } = participant;
      const gone = { $set: { key: null }, $setOnInsert: { tenant, uses: 0 } };
      await keys.updateOne({ _id: idOf(participant) }, gone, { ...tx, upsert: true });
    },
    renewal: (ring) => ({
      ring,
      collection,
      fields: [sealedField("key", sealer, ({ _id, tenant = "" }) => placeOf(tenant, String(_id)))],
    }),
  };
}
