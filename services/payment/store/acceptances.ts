import type { mongo } from "mongoose";
import { batchCalls, type ItemResult } from "../../shared/process/batch-calls";
import type { DataKeys } from "../../shared/storage/data-keys";
import { slowMs } from "../../shared/storage/group-errors";
import { makeGroupInsert } from "../../shared/storage/group-insert";
import { isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import type { Change, Payment } from "../domain/payment";
import type { ReceiptFacts } from "../domain/receipt";
import type { Content } from "../domain/same-content";
import { type Acceptance, openContent, type PaymentRecord, toRecord } from "./payment-record";
import { type News, queueStoredEvents } from "./stored-events";

/** What an earlier request with the same id has stored. `answer` is absent while the first request still runs. */
export interface StoredAnswer extends Pick<Payment, "id" | "externalId" | "amount" | "createdAt"> {
  content: Content;
  answer: ReceiptFacts | undefined;
}

/** `stored`, or why not: the id is taken, another payment has used the quote, or a promise was returned meanwhile. */
export type InsertResult = "stored" | "id-taken" | "quote-taken" | "promise-lost";

/** Receives the time at which a payment that was written will be due. */
export type NoteDue = (at: Date) => void;

/** The most payments that one group reads or writes. */
const largestGroup = 64;

type Asked = Pick<PaymentRecord, "tenant" | "externalId">;
const nameOf = ({ tenant, externalId }: Asked): string => JSON.stringify([tenant, externalId]);
const answerParts = {
  tenant: 1,
  externalId: 1,
  amountMinor: 1,
  currency: 1,
  createdAt: 1,
  hashes: 1,
  answer: 1,
} as const;

/** Looks answers up; questions that come together are one read. */
export function makeFindAnswer(
  payments: mongo.Collection<PaymentRecord>,
  keys: Pick<DataKeys, "of">,
): (tenant: string, externalId: string) => Promise<StoredAnswer | undefined> {
  const readTogether = async (asked: readonly Asked[]): Promise<ItemResult<PaymentRecord | undefined>[]> => {
    const byTenant = Map.groupBy(asked, ({ tenant }) => tenant);
    const filters = [...byTenant].map(([tenant, some]) => ({
      tenant,
      externalId: { $in: some.map(({ externalId }) => externalId) },
    }));
    const [only] = filters;
    const filter = filters.length === 1 && only !== undefined ? only : { $or: filters };
    const found = await payments.find(filter, { projection: answerParts }).toArray();
    const byName = new Map(found.map((record) => [nameOf(record), record]));
    return asked.map((one) => ({ value: byName.get(nameOf(one)) }));
  };
  const readOne = batchCalls(readTogether, { most: largestGroup, slowMs, ownerOf: ({ tenant }) => tenant });
  return async (tenant, externalId) => {
    const record = await readOne({ tenant, externalId });
    if (record === undefined) return undefined;
    const { _id: id, amountMinor: minor, currency, createdAt, answer } = record;
    const content = openContent(await keys.of(tenant), record);
    return { id, externalId, amount: { minor, currency }, createdAt, content, answer: answer && toAnswer(answer) };
  };
}

export function makeInsert(
  payments: mongo.Collection<PaymentRecord>,
  keys: Pick<DataKeys, "of">,
  noteDue: NoteDue,
  news: News,
): (change: Change, acceptance: Acceptance, tx?: Tx) => Promise<InsertResult> {
  const insertOne = makeGroupInsert(payments, { ownerOf: ({ tenant }) => tenant, bytesOf });
  return async (change, acceptance, tx) => {
    const record = toRecord(change, acceptance, await keys.of(change.next.tenant));
    try {
      await (tx === undefined ? insertOne(record) : payments.insertOne(record, { ...tx }));
      if (change.next.execution.dueAt !== undefined) noteDue(change.next.execution.dueAt);
      // A payment that is written in a transaction is not stored yet.
      if (tx === undefined) queueStoredEvents(news, undefined, change);
      return "stored";
    } catch (error) {
      if (isDuplicateKey(error)) return whyTaken(error);
      news.doubt();
      throw error;
    }
  };
}

/** Returns the approximate size of a new payment in the store, in bytes: only its sealed parts grow with what the caller wrote. */
const bytesOf = ({ personal, hashes }: PaymentRecord): number => personal.length + hashes.length + 4_096;

function whyTaken(error: unknown): InsertResult {
  if (isOf(error, "places")) return "promise-lost";
  return isOf(error, "quoteId") ? "quote-taken" : "id-taken";
}

/** True when the index on this field refused a duplicate. */
const isOf = (error: unknown, field: string): boolean =>
  typeof error === "object" &&
  error !== null &&
  "keyPattern" in error &&
  typeof error.keyPattern === "object" &&
  Object.hasOwn(error.keyPattern ?? {}, field);

/** Restores fields: the driver omits undefined ones, and the domain has every field. */
export const toAnswer = (stored: ReceiptFacts): ReceiptFacts => ({ ...nothingSaid, ...stored });
const nothingSaid = {
  message: undefined,
  authCode: undefined,
  challengeUrl: undefined,
  reason: undefined,
} satisfies Partial<ReceiptFacts>;
