import type { Connection, mongo } from "mongoose";
import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { originOf } from "../../shared/kernel/ids";
import { isInScope, type TenantScope } from "../../shared/kernel/tenant-scope";
import { noteExternalId } from "../../shared/process/call-context";
import type { DataKeys, TenantKey } from "../../shared/storage/data-keys";
import { makeTenantRounds } from "../../shared/storage/tenant-rounds";
import type { PaymentColumns } from "../domain/payment-columns";
import { overdueMs, type PaymentFilter, testsOf } from "../domain/payment-filter";
import { methodInWords } from "../domain/payment-methods";
import { mask, numberOf } from "../domain/payout-account";
import { nameOf } from "../domain/payout-instruction";
import { placeOf, placeOfRecord } from "./fact-record";
import type { PaymentRecord, Personal } from "./payment-record";
import { paymentCollection } from "./payment-store";
import type { Place } from "./transaction-store";

/** As much of the payer and the recipient as lists show. */
export interface ListedPeople {
  senderName: string;
  recipientName: string | undefined;
  account: string | undefined;
}

type ListedFields =
  | "_id"
  | "tenant"
  | "externalId"
  | "type"
  | "status"
  | "state"
  | "compliance"
  | "payout"
  | "amountMinor"
  | "currency"
  | "payoutMinor"
  | "payoutCurrency"
  | "payoutCountry"
  | "method"
  | "agentId"
  | "quoteId"
  | "cause"
  | "createdAt"
  | "updatedAt"
  | "dueAt"
  | "escalatedAt";

/** A payment, as lists show it. */
export interface ListedPayment extends Pick<PaymentRecord, ListedFields> {
  pull: { provider: string; card: { lastFour: string } | undefined } | undefined;
  /** Undefined unless they were asked for, and where their sealed details cannot be opened. */
  people: ListedPeople | undefined;
}

export interface ListPage {
  after: Place | undefined;
  limit: number;
  withPeople: boolean;
  now: Date;
}

export interface PaymentListStore {
  /**
   * Lists the newest payments first, after a place. `next` is where the page ended while there may be more. A page reads at most
   * `readsPerRow` index entries for each payment that it may show, so it can be short while the columns are not available.
   */
  list(
    scope: TenantScope,
    filter: PaymentFilter,
    page: ListPage,
  ): Promise<{ payments: ListedPayment[]; next: Place | undefined }>;
  /** Finds the payments that an id belongs to, the newest first, at most 20. */
  find(scope: TenantScope, id: string): Promise<FoundPayment[]>;
}

/** Says which of a payment's ids was given. */
export type FoundIdKind = "PAYMENT" | "LEG" | "REFUND" | "QUOTE" | "PROVIDER_REFERENCE" | "RECEIPT" | "TRACE";

export interface FoundPayment
  extends Pick<PaymentRecord, "_id" | "tenant" | "externalId" | "state" | "amountMinor" | "currency" | "createdAt"> {
  kind: FoundIdKind;
}

/** The most index entries that are read, in all, for each payment that a page may show. */
export const readsPerRow = 20;
/**
 * The part of these that reads an index of few payments, such as the overdue ones; an index with more entries than that is not such an
 * index.
 */
const probesPerRow = 4;
/**
 * The part that remains for the walk. Also reserved are, for the probe and the walk each, the entry that shows whether there is more,
 * and two reads of the row itself.
 */
const walkedPerRow = readsPerRow - probesPerRow - 4;

const shown = {
  tenant: 1,
  externalId: 1,
  type: 1,
  status: 1,
  state: 1,
  compliance: 1,
  payout: 1,
  amountMinor: 1,
  currency: 1,
  payoutMinor: 1,
  payoutCurrency: 1,
  payoutCountry: 1,
  method: 1,
  agentId: 1,
  quoteId: 1,
  cause: 1,
  createdAt: 1,
  updatedAt: 1,
  dueAt: 1,
  escalatedAt: 1,
  "pull.provider": 1,
  "pull.card.lastFour": 1,
} as const;

type Row = Omit<ListedPayment, "people">;
type Query = mongo.Filter<PaymentRecord>;
interface Hits {
  rows: Row[];
  next: Place | undefined;
}

const placeOfRow = ({ createdAt, _id }: Row): Place => ({ createdAt, id: _id });
const isBehind = ({ createdAt, _id }: Row, after: Place): boolean =>
  createdAt < after.createdAt || (createdAt.getTime() === after.createdAt.getTime() && _id < after.id);
const newestFirst = (one: Row, other: Row): number => (isBehind(one, placeOfRow(other)) ? 1 : -1);

/** Lists payments. Their order and places never change, so that a walk through the pages shows each payment once. */
export function makePaymentListStore(
  connection: Connection,
  keys: Pick<DataKeys, "of" | "tenants">,
  presentColumns: () => Pick<PaymentColumns, "find"> | undefined = () => undefined,
): PaymentListStore {
  const payments = paymentCollection(connection);
  const find = (query: Query, sort: mongo.Sort, limit: number): mongo.FindCursor<Row> =>
    payments.find(query, { batchSize: 1_000 }).sort(sort).limit(limit).project<Row>(shown);
  return {
    find: makeFind(payments, keys),
    async list(scope, filter, page) {
      const probe = probeOf(scope, filter, page.now);
      const most = probesPerRow * page.limit;
      const few = probe === undefined ? undefined : await find(probe.query, probe.sort, most + 1).toArray();
      const hits =
        few === undefined || few.length > most
          ? await goOn(find, presentColumns(), scope, filter, page)
          : pageOf(few.filter(isWanted(scope, filter, page.now)), page);
      const [only] = filter.paymentId === undefined ? [] : hits.rows;
      if (only !== undefined) noteExternalId(only.externalId);
      const people = page.withPeople ? await readPeople(payments, keys, hits.rows) : new Map<string, ListedPeople>();
      return { ...hits, payments: hits.rows.map((row) => ({ ...row, people: people.get(row._id) })) };
    },
  };
}

/** Fields by which payments are found. */
const idFields = {
  externalId: 1,
  childIds: 1,
  refundIds: 1,
  quoteId: 1,
  railId: 1,
  "pull.providerId": 1,
  receipt: 1,
  traceId: 1,
} as const;
const foundFields = {
  ...idFields,
  tenant: 1,
  state: 1,
  amountMinor: 1,
  currency: 1,
  createdAt: 1,
  "refunds.id": 1,
} as const;
const mostFound = 20;

/** Ids with a recognisable form are looked for only in their own field. */
const forms: Partial<Record<keyof typeof idFields, (id: string) => boolean>> = {
  traceId: (id) => /^[0-9a-f]{32}$/.test(id),
  childIds: (id) => originOf(id) === "derived",
};

function makeFind(
  payments: mongo.Collection<PaymentRecord>,
  keys: Pick<DataKeys, "tenants">,
): PaymentListStore["find"] {
  const inRounds = makeTenantRounds(keys);
  return async (scope, id) => {
    const fields = (Object.keys(idFields) as (keyof typeof idFields)[]).filter((field) => forms[field]?.(id) ?? true);
    const found = await inRounds(scope, (tenants) => {
      const tenant = { $in: tenants };
      // Every query begins with the tenant, or with a complete id that no other tenant can have.
      const ways = [{ _id: id, tenant }, ...fields.map((field) => ({ tenant, [field]: id }))];
      return payments.find({ $or: ways }, { projection: foundFields }).limit(mostFound).toArray();
    });
    return found
      .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
      .slice(0, mostFound)
      .map((record) => ({ ...record, kind: kindOf(record, id) }));
  };
}

function kindOf(record: PaymentRecord, id: string): FoundIdKind {
  if (record._id === id || record.externalId === id) return "PAYMENT";
  if (record.refunds?.some((refund) => refund.id === id) || record.refundIds?.includes(id)) return "REFUND";
  if (record.childIds?.includes(id)) return "LEG";
  if (record.quoteId === id) return "QUOTE";
  if (record.traceId === id) return "TRACE";
  return record.receipt === id ? "RECEIPT" : "PROVIDER_REFERENCE";
}

type Find = (query: Query, sort: mongo.Sort, limit: number) => mongo.FindCursor<Row>;

/**
 * Walks through the payments. If the walk has read its share before the page is full, matches are rare, and the columns supply the rest
 * of the page. The columns may be slightly outdated, so the payments that they name are read and checked once more.
 */
async function goOn(
  find: Find,
  columns: Pick<PaymentColumns, "find"> | undefined,
  scope: TenantScope,
  filter: PaymentFilter,
  page: ListPage,
): Promise<Hits> {
  const walked = await walk(find, scope, filter, page);
  const room = page.limit - walked.rows.length;
  if (walked.next === undefined || room === 0) return walked;
  const known = columns?.find(scope, filter, { after: walked.next, most: room + 1, now: page.now });
  if (known === undefined) return walked;
  const ids = known.places.slice(0, room).map(({ id }) => id);
  const read = ids.length === 0 ? [] : await find({ _id: { $in: ids } }, { _id: 1 }, room).toArray();
  const wanted = read.filter(isWanted(scope, filter, page.now)).toSorted(newestFirst);
  const next = known.places.length > room ? known.places[room - 1] : known.end;
  return { rows: [...walked.rows, ...wanted], next };
}

/** Reads payments in the order of the list until the page is full or has read its share. */
async function walk(find: Find, scope: TenantScope, filter: PaymentFilter, page: ListPage): Promise<Hits> {
  const { after, limit } = page;
  const { createdFrom, createdUntil } = filter;
  // A tenant's agent has an index of its own; a condition without an index must not be put to the store, which would read on and on.
  const agent = scope === "all tenants" || filter.agentId === undefined ? {} : { agentId: filter.agentId };
  const createdAt = {
    ...(createdFrom === undefined ? {} : { $gte: createdFrom }),
    ...(createdUntil === undefined ? {} : { $lt: createdUntil }),
    // Both bounds are on the same field, so that any query planner begins after the place and not at the newest payment.
    ...(after === undefined ? {} : { $lte: after.createdAt }),
  };
  const query = {
    ...(scope === "all tenants" ? {} : { tenant: scope.tenant }),
    ...agent,
    createdAt: Object.keys(createdAt).length === 0 ? { $gt: beginningOfTime } : createdAt,
    ...(after === undefined ? {} : { $or: [{ createdAt: { $lt: after.createdAt } }, { _id: { $lt: after.id } }] }),
  };
  const asked = { ...filter, createdFrom: undefined, createdUntil: undefined };
  const tests = testsOf("agentId" in agent ? { ...asked, agentId: undefined } : asked, page.now);
  const most = tests.length === 0 ? limit : walkedPerRow * limit;
  const rows: Row[] = [];
  let last: Row | undefined;
  let read = 0;
  for await (const row of find(query, { createdAt: -1, _id: -1 }, most + 1)) {
    if (rows.length === limit || read === most) return { rows, next: last && placeOfRow(last) };
    read += 1;
    last = row;
    if (tests.every((test) => test(row))) rows.push(row);
  }
  return { rows, next: undefined };
}

/** Returns the query of an index of few payments that contains the matches; undefined where there is none. */
function probeOf(
  scope: TenantScope,
  { paymentId, idPrefix, isOverdue, isStuck }: PaymentFilter,
  now: Date,
): { query: Query; sort: mongo.Sort } | undefined {
  if (paymentId !== undefined) return { query: { _id: paymentId }, sort: { _id: 1 } };
  if (idPrefix !== undefined && scope !== "all tenants") {
    const { tenant } = scope;
    return { query: { tenant, externalId: { $gte: idPrefix, $lt: `${idPrefix}\uffff` } }, sort: { externalId: 1 } };
  }
  if (isStuck) return { query: { escalatedAt: { $gt: beginningOfTime } }, sort: { escalatedAt: 1 } };
  if (isOverdue) return { query: { dueAt: { $lte: plusMs(now, -overdueMs) } }, sort: { dueAt: 1 } };
  return undefined;
}

function isWanted(scope: TenantScope, filter: PaymentFilter, now: Date): (row: Row) => boolean {
  const tests = testsOf(filter, now);
  return (row) => isInScope(scope, row.tenant) && tests.every((test) => test(row));
}

/** Makes the page out of all matching payments. */
function pageOf(wanted: readonly Row[], { after, limit }: ListPage): Hits {
  const behind = wanted.filter((row) => after === undefined || isBehind(row, after)).toSorted(newestFirst);
  const rows = behind.slice(0, limit);
  const last = behind.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last && placeOfRow(last) };
}

/** Reads payers and recipients, by the payment's id. */
async function readPeople(
  payments: mongo.Collection<PaymentRecord>,
  keys: Pick<DataKeys, "of">,
  rows: readonly Row[],
): Promise<Map<string, ListedPeople>> {
  if (rows.length === 0) return new Map();
  const wanted = { _id: { $in: rows.map(({ _id }) => _id) } };
  const found = await payments.find(wanted, { projection: { tenant: 1, personal: 1 } }).toArray();
  const people = new Map<string, ListedPeople>();
  for (const record of found) {
    const opened = await openPeople(record, keys);
    if (opened !== undefined) people.set(record._id, opened);
  }
  return people;
}

/** Returns undefined when the key is lost, which must not prevent the list from being shown. */
async function openPeople(
  record: Pick<PaymentRecord, "_id" | "tenant" | "personal">,
  keys: Pick<DataKeys, "of">,
): Promise<ListedPeople | undefined> {
  try {
    return toPeople(record, await keys.of(record.tenant));
  } catch {
    return undefined;
  }
}

function toPeople(
  record: Pick<PaymentRecord, "_id" | "tenant" | "personal">,
  key: Pick<TenantKey, "open">,
): ListedPeople {
  const opened = key.open(record.personal, placeOf(placeOfRecord(record), "personal")).toString("utf8");
  const { sender, payout } = JSON.parse(opened) as Personal;
  return {
    senderName: maskedName(nameOf(sender)),
    recipientName: payout === undefined ? undefined : maskedName(nameOf(payout.recipient)),
    account: payout === undefined ? undefined : mask(numberOf(methodInWords(payout.method))),
  };
}

/** Returns the first letter of each word. */
const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => `${[...word][0] ?? ""}***`)
    .join(" ");
