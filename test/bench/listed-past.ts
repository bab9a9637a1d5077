import { randomUUID } from "node:crypto";
import { readPaymentConfig } from "../../services/payment/config";
import { idle } from "../../services/payment/domain/execution";
import type { Payment } from "../../services/payment/domain/payment";
import { toRecord } from "../../services/payment/store/payment-record";
import { paymentCollection } from "../../services/payment/store/payment-store";
import { systemIds } from "../../services/shared/kernel/ids";
import { money } from "../../services/shared/kernel/money";
import { noTracing } from "../../services/shared/process/tracing";
import { type DataKeys, makeDataKeys } from "../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../services/shared/storage/mongo";
import { newPayment } from "../support/payment-builder";
import type { Subject } from "./subject";

const batch = 1_000;
const dayMs = 86_400_000;
/** The past is this long, however many payments it has. */
const pastMs = 30 * dayMs;

/** The payment service's own store. */
export interface PastStore {
  mongo: Mongo;
  keys: DataKeys;
}

/** One of each kind of id that payments are found by. */
export interface PastIds {
  ours: string;
  callers: string;
  quote: string;
  rail: string;
  trace: string;
}

export async function openPast({ env }: Subject): Promise<PastStore> {
  const {
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    PAYMENT_SEALING_KEY_FILE: sealingKeys,
  } = readPaymentConfig(env("payment"));
  const mongo = await openMongo({ uri, database, profile: "local", tracing: noTracing });
  const keys = makeDataKeys({ connection: mongo.connection, sealingKeys, ids: systemIds });
  return { mongo, keys };
}

/**
 * Writes payments that have ended straight into the store, which takes seconds where paying them takes an hour. All are alike but
 * for the oldest, which is alone with what it has. Returns the ids of one, and what all of them were paid with, in cents.
 */
export async function writePast(
  { mongo, keys }: PastStore,
  tenant: string,
  count: number,
): Promise<{ ids: PastIds; cents: bigint }> {
  const payments = paymentCollection(mongo.connection);
  const key = await keys.of(tenant);
  const fromMs = Date.now() - pastMs - dayMs;
  let cents = 0n;
  let ids: PastIds = { ours: "", callers: "", quote: "", rail: "", trace: "" };
  for (let done = 0; done < count; done += batch) {
    const made = Array.from({ length: Math.min(batch, count - done) }, (_, index) => {
      const at = done + index;
      return endedPayment(tenant, at, new Date(fromMs + Math.floor((at * pastMs) / count)));
    });
    await payments.insertMany(
      made.map((next) =>
        toRecord({ next, events: [], history: [], caseNotes: [] }, { hashes: {}, answer: undefined }, key),
      ),
      { ordered: false },
    );
    cents += made.reduce((sum, { amount }) => sum + amount.minor, 0n);
    const known = made[Math.floor(made.length / 2)];
    if (known !== undefined) ids = idsOf(known);
  }
  return { ids, cents };
}

const idsOf = ({ id, externalId, quoteId = "", payout, traceparent }: Payment): PastIds => ({
  ours: id,
  callers: externalId,
  quote: quoteId,
  rail: payout?.railId ?? "",
  trace: traceparent.split("-")[1] ?? "",
});

function endedPayment(tenant: string, at: number, createdAt: Date): Payment {
  const id = randomUUID();
  const isRare = at === 0;
  const trace = randomUUID().replaceAll("-", "");
  const { next } = newPayment("PUSH", {
    id,
    tenant,
    externalId: `${isRare ? "rare" : "order"}-${at}-${id.slice(0, 8)}`,
    amount: money(isRare ? 987_654_321n : 10_000n + BigInt(at % 1_000), "USD"),
    quoteId: randomUUID(),
    createdAt,
    traceparent: `00-${trace}-${trace.slice(0, 16)}-01`,
  });
  return {
    ...next,
    status: isRare ? "DECLINED" : "CAPTURED",
    state: isRare ? "Cancelled" : "Completed",
    cause: isRare ? { code: "AC03", leg: "payout" } : undefined,
    payout: next.payout && { ...next.payout, railId: `pix-${id}` },
    execution: idle,
    updatedAt: createdAt,
  };
}
