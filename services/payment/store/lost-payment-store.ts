import { type Connection, Schema } from "mongoose";
import { strictDocument, text } from "../../shared/storage/stored-fields";

/** A payment that was accepted and published, and that a restore has lost. */
export interface LostPayment {
  tenant: string;
  externalId: string;
  paymentId: string;
}

export interface LostPayments {
  /** Returns the id of the payment that a restore has lost; undefined when there is none. */
  idOf(tenant: string, externalId: string): string | undefined;
}

interface LostRecord extends LostPayment {
  _id: string;
}

const keyOf = ({ tenant, externalId }: Pick<LostPayment, "tenant" | "externalId">): string =>
  JSON.stringify([tenant, externalId]);

const lostSchema = new Schema<LostRecord>(
  { _id: text, tenant: text, externalId: text, paymentId: text },
  strictDocument,
);

export const lostPaymentModel = (connection: Connection) =>
  connection.model("LostPayment", lostSchema, "lost_payments");

/**
 * Reads the payments that restores have lost into memory: as many as were accepted between a backup and the failure. They are written
 * when a restored platform is accepted, while no service runs.
 */
export async function readLostPayments(connection: Connection): Promise<LostPayments> {
  const known = new Map<string, string>();
  const all = lostPaymentModel(connection)
    .find({ _id: { $gt: "" } })
    .lean<LostRecord[]>();
  for await (const { _id, paymentId } of all.cursor()) known.set(_id, paymentId);
  return { idOf: (tenant, externalId) => known.get(keyOf({ tenant, externalId })) };
}

/** Records payments that a restore has lost. The first one with an id stays. */
export async function addLostPayments(connection: Connection, payments: readonly LostPayment[]): Promise<void> {
  if (payments.length === 0) return;
  const writes = payments.map((payment) => ({
    updateOne: { filter: { _id: keyOf(payment) }, update: { $setOnInsert: { ...payment } }, upsert: true },
  }));
  await lostPaymentModel(connection).bulkWrite(writes, { ordered: false, throwOnValidationError: true });
}
