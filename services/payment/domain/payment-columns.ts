import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { isInScope, type TenantScope } from "../../shared/kernel/tenant-scope";
import {
  beginningBytes,
  bitOf,
  type Chunk,
  type CodeColumn,
  codeColumns,
  countBefore,
  idBytes,
  type NumberColumn,
  putRow,
} from "./column-chunk";
import { amountOf, type FilteredPayment, overdueMs, type PaymentFilter } from "./payment-filter";

/** The position of a payment in lists. */
export interface ColumnPlace {
  createdAt: Date;
  id: string;
}

export interface Candidates {
  /** The newest first. */
  places: ColumnPlace[];
  /** The end of what is known here: older payments have to be read from the store. Undefined when none is older. */
  end: ColumnPlace | undefined;
}

/**
 * Holds in memory the fields of every payment that filters check. It finds the payments that may match a filter, however few they are, by
 * scanning its columns; the caller reads those from the store and decides which of them match.
 */
export interface PaymentColumns {
  /** Adds a payment, or replaces it by its present form. */
  put(payment: FilteredPayment & { tenant: string }): void;
  /** Returns up to `most` payments after a place that the filter may match; undefined where the place is older than what is known. */
  find(
    scope: TenantScope,
    filter: PaymentFilter,
    page: { after: ColumnPlace; most: number; now: Date },
  ): Candidates | undefined;
  count(): number;
}

/** Number of rows kept, of about 100 bytes each. */
const usualRows = 1_000_000;

export function makePaymentColumns(mostRows: number = usualRows): PaymentColumns {
  const tenants = new Map<string, Chunk[]>();
  const codes = makeCodes();
  let count = 0;
  /** Some payments that are not newer than this have been dropped. */
  let forgottenUntil = Number.NEGATIVE_INFINITY;
  const forgetOldest = (): void => {
    const [, oldest] = [...tenants]
      .map(([, chunks]) => [chunks[0]?.numbers.createdAt[0] ?? Number.POSITIVE_INFINITY, chunks] as const)
      .reduce((one, other) => (other[0] < one[0] ? other : one));
    const gone = oldest.shift();
    if (gone === undefined) return;
    count -= gone.count;
    forgottenUntil = Math.max(forgottenUntil, gone.numbers.createdAt[gone.count - 1] ?? forgottenUntil);
  };
  return {
    count: () => count,
    put(payment) {
      const { tenant, createdAt } = payment;
      if (createdAt.getTime() <= forgottenUntil) return;
      const chunks = tenants.get(tenant) ?? [];
      tenants.set(tenant, chunks);
      if (putRow(chunks, rowOf(payment, codes))) count += 1;
      if (count > mostRows) forgetOldest();
    },
    find(scope, filter, { after, most, now }) {
      if (after.createdAt.getTime() <= forgottenUntil) return undefined;
      const isWhole = Math.max(filter.createdFrom?.getTime() ?? 0, 0) > forgottenUntil;
      const end = isWhole ? undefined : { createdAt: plusMs(beginningOfTime, forgottenUntil), id: lastId };
      const checks = checksOf(filter, codes, now);
      if (checks === undefined) return { places: [], end };
      const bounds = {
        after,
        from: Math.max(filter.createdFrom?.getTime() ?? 0, forgottenUntil + 1),
        until: filter.createdUntil,
      };
      const found = [...tenants]
        .filter(([tenant]) => isInScope(scope, tenant))
        .flatMap(([, chunks]) => findIn(chunks, checks, bounds, most));
      const places = tenants.size === 1 ? found : found.toSorted(newestFirst);
      return { places: places.slice(0, most), end };
    },
  };
}

/** Sorts after every id of its instant. */
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const newestFirst = (one: ColumnPlace, other: ColumnPlace): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);

/** Numbers for words. The first number means no word. */
interface Codes {
  of(column: CodeColumn, word: string | undefined): number;
  /** Returns undefined for a word that no payment has had. */
  known(column: CodeColumn, word: string): number | undefined;
}

function makeCodes(): Codes {
  const known = new Map(codeColumns.map((column) => [column, new Map<string, number>()]));
  return {
    of(column, word) {
      if (word === undefined) return 0;
      const words = known.get(column) ?? new Map<string, number>();
      const code = words.get(word) ?? words.size + 1;
      words.set(word, code);
      return code;
    },
    known: (column, word) => known.get(column)?.get(word),
  };
}

function bytesOf(id: string): Uint8Array {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  if (bytes.length !== idBytes) throw new Error("the id of a payment is no UUID");
  return bytes;
}

function idOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, idBytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function beginningOf(externalId: string): Uint8Array {
  const bytes = new Uint8Array(beginningBytes);
  bytes.set(Buffer.from(externalId, "utf8").subarray(0, beginningBytes));
  return bytes;
}

/** Returns the amount in major units, precise enough to rule out amounts that are far from it. */
const amountIn = (digits: bigint, scale: number): number => Number(digits) / 10 ** scale;

function rowOf(payment: FilteredPayment, codes: Codes) {
  const { digits, scale } = amountOf(payment);
  const code = (column: CodeColumn, word: string | undefined): number => codes.of(column, word);
  return {
    id: bytesOf(payment._id),
    beginning: beginningOf(payment.externalId),
    isStuck: payment.escalatedAt !== undefined,
    numbers: {
      createdAt: payment.createdAt.getTime(),
      updatedAt: payment.updatedAt.getTime(),
      dueAt: payment.dueAt?.getTime() ?? Number.POSITIVE_INFINITY,
      amount: amountIn(digits, scale),
    },
    codes: {
      status: code("status", payment.status),
      state: code("state", payment.state),
      type: code("type", payment.type),
      currency: code("currency", payment.currency),
      recipientCurrency: code("recipientCurrency", payment.payoutCurrency),
      countryCode: code("countryCode", payment.payoutCountry),
      method: code("method", payment.method),
      reasonCode: code("reasonCode", payment.cause?.code),
      agentId: code("agentId", payment.agentId),
    },
  };
}

/** The checks that a row must pass. */
interface Checks {
  codes: (readonly [CodeColumn, number])[];
  numbers: (readonly [NumberColumn, least: number, most: number])[];
  isStuck: boolean;
  beginning: Uint8Array | undefined;
}

/** Relative error that a number in a column may have, since it is not exact. */
const tolerance = 1e-9;

/** Returns undefined when the filter asks for a word that no payment has had. */
function checksOf(filter: PaymentFilter, codes: Codes, now: Date): Checks | undefined {
  const asked = codeColumns.flatMap((column) => {
    const word = filter[column];
    return word === undefined ? [] : [[column, codes.known(column, word)] as const];
  });
  const known = asked.flatMap(([column, code]) => (code === undefined ? [] : [[column, code] as const]));
  if (known.length < asked.length) return undefined;
  const { minAmount, maxAmount, changedFrom, changedUntil, idPrefix } = filter;
  const [least, most] = [minAmount, maxAmount].map((amount) => amount && amountIn(amount.digits, amount.scale));
  const numbers: Checks["numbers"] = [];
  if (least !== undefined || most !== undefined) {
    const [from, until] = [least ?? Number.NEGATIVE_INFINITY, most ?? Number.POSITIVE_INFINITY];
    numbers.push(["amount", from - Math.abs(from) * tolerance, until + Math.abs(until) * tolerance]);
  }
  if (changedFrom !== undefined || changedUntil !== undefined) {
    const [from, until] = [changedFrom?.getTime() ?? 0, (changedUntil?.getTime() ?? Number.POSITIVE_INFINITY) - 1];
    numbers.push(["updatedAt", from, until]);
  }
  // A due time is postponed without an announcement, and never brought forward, so a payment that is overdue was due by the time that is
  // known here.
  if (filter.isOverdue) numbers.push(["dueAt", Number.NEGATIVE_INFINITY, now.getTime() - overdueMs]);
  const beginning = idPrefix === undefined ? undefined : Buffer.from(idPrefix, "utf8").subarray(0, beginningBytes);
  return { codes: known, numbers, isStuck: filter.isStuck, beginning };
}

interface Bounds {
  after: ColumnPlace;
  from: number;
  until: Date | undefined;
}

/** Indices of the rows of a chunk that passed so far. */
const left = new Int32Array(4_096);

/** Returns the newest rows after a place that pass, the newest first. */
function findIn(chunks: readonly Chunk[], checks: Checks, { after, from, until }: Bounds, most: number): ColumnPlace[] {
  const afterId = bytesOf(after.id);
  const places: ColumnPlace[] = [];
  for (let index = chunks.length - 1; index >= 0 && places.length < most; index -= 1) {
    const chunk = chunks[index];
    if (chunk === undefined || chunk.count === 0) continue;
    if (checks.codes.some(([column, code]) => (chunk.had[column] & bitOf(code)) === 0)) continue;
    const behind = countBefore(chunk, after.createdAt.getTime(), afterId);
    const end = until === undefined ? behind : Math.min(behind, countBefore(chunk, until.getTime(), noBytes));
    const start = countBefore(chunk, from, noBytes);
    const count = passing(chunk, checks, start, end);
    for (let at = count - 1; at >= 0 && places.length < most; at -= 1) places.push(placeAt(chunk, left[at] ?? 0));
    if (start > 0) break;
  }
  return places;
}

/** Sorts before every id of its instant. */
const noBytes = new Uint8Array(idBytes);

const placeAt = ({ numbers, ids }: Chunk, at: number): ColumnPlace => ({
  createdAt: plusMs(beginningOfTime, numbers.createdAt[at] ?? 0),
  id: idOf(ids.subarray(at * idBytes)),
});

/** Writes the rows that pass to `left`, the oldest first, and returns their number. The columns are scanned one after the other. */
function passing(chunk: Chunk, { codes, numbers, isStuck, beginning }: Checks, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) left[count++] = at;
  for (const [column, code] of codes) count = keepEqual(chunk.codes[column], code, count);
  for (const [column, least, most] of numbers) count = keepWithin(chunk.numbers[column], least, most, count);
  if (isStuck) count = keepEqual(chunk.stuck, 1, count);
  return beginning === undefined ? count : keepBeginning(chunk.beginnings, beginning, count);
}

function keepEqual(cells: Uint32Array | Uint8Array, wanted: number, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const at = left[index] ?? 0;
    if (cells[at] === wanted) left[kept++] = at;
  }
  return kept;
}

function keepWithin(cells: Float64Array, least: number, most: number, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const at = left[index] ?? 0;
    const value = cells[at] ?? 0;
    if (value >= least && value <= most) left[kept++] = at;
  }
  return kept;
}

function keepBeginning(cells: Uint8Array, wanted: Uint8Array, count: number): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const at = left[index] ?? 0;
    if (wanted.every((byte, which) => cells[at * beginningBytes + which] === byte)) left[kept++] = at;
  }
  return kept;
}
