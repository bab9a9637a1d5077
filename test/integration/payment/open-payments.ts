import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore, type PaymentStore } from "../../../services/payment/store/payment-store";
import type { News } from "../../../services/payment/store/stored-events";
import { systemIds } from "../../../services/shared/kernel/ids";
import { noTracing } from "../../../services/shared/process/tracing";
import { type DataKeys, makeDataKeys } from "../../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import type { TestStore } from "../../support/testbed";

/** The store of payments by itself, in a database of its own. */
export async function openPayments(
  store: Pick<TestStore, "mongoUri" | "database">,
  news?: News,
): Promise<{ mongo: Mongo; keys: DataKeys; payments: PaymentStore }> {
  const database = store.database("payments");
  const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  const sealing = { connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds };
  const keys = makeDataKeys(sealing);
  const payments = makePaymentStore(
    mongo.connection,
    keys,
    mongo.transact,
    makeParticipantKeys(sealing),
    undefined,
    news,
  );
  await Promise.all([keys.init(), payments.init()]);
  return { mongo, keys, payments };
}
