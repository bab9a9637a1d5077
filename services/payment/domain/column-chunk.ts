/** Columns of numbers, codes and flags that each row has. */
const numberColumns = ["createdAt", "updatedAt", "dueAt", "amount"] as const;
export const codeColumns = [
  "status",
  "state",
  "type",
  "currency",
  "recipientCurrency",
  "countryCode",
  "method",
  "reasonCode",
  "agentId",
] as const;
export type NumberColumn = (typeof numberColumns)[number];
export type CodeColumn = (typeof codeColumns)[number];

/** One row, as it is stored in a chunk. */
export interface Row {
  /** The id as 16 bytes, which sort like the ids as text. */
  id: Uint8Array;
  numbers: Readonly<Record<NumberColumn, number>>;
  codes: Readonly<Record<CodeColumn, number>>;
  isStuck: boolean;
  /** The first bytes of the caller's id, padded with zeros. */
  beginning: Uint8Array;
}

export const idBytes = 16;
/** Number of bytes of the caller's id that are compared; the payment itself distinguishes ids with the same beginning. */
export const beginningBytes = 16;
/** Rows of a chunk: so many are moved when a row comes late, and so many are skipped at once when none has a code that is asked for. */
const mostRows = 4_096;
const fewestRows = 64;

/** Consecutive rows, the oldest first, column by column. */
export interface Chunk {
  count: number;
  ids: Uint8Array;
  beginnings: Uint8Array;
  stuck: Uint8Array;
  numbers: Record<NumberColumn, Float64Array>;
  codes: Record<CodeColumn, Uint32Array>;
  /** Bits of the codes that each column has contained. A code whose bit is not set does not occur in the chunk. */
  had: Record<CodeColumn, number>;
}

const recordOf = <N extends string, V>(names: readonly N[], make: (name: N) => V): Record<N, V> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>;

const emptyChunk = (capacity: number): Chunk => ({
  count: 0,
  ids: new Uint8Array(idBytes * capacity),
  beginnings: new Uint8Array(beginningBytes * capacity),
  stuck: new Uint8Array(capacity),
  numbers: recordOf(numberColumns, () => new Float64Array(capacity)),
  codes: recordOf(codeColumns, () => new Uint32Array(capacity)),
  had: recordOf(codeColumns, () => 0),
});

type Cells = Uint8Array | Float64Array | Uint32Array;

/** Yields every column of two chunks in pairs, with the number of cells per row. */
function* pairsOf(from: Chunk, to: Chunk): Generator<readonly [from: Cells, to: Cells, width: number]> {
  yield [from.ids, to.ids, idBytes];
  yield [from.beginnings, to.beginnings, beginningBytes];
  yield [from.stuck, to.stuck, 1];
  for (const name of numberColumns) yield [from.numbers[name], to.numbers[name], 1];
  for (const name of codeColumns) yield [from.codes[name], to.codes[name], 1];
}

const capacityOf = (chunk: Chunk): number => chunk.stuck.length;

/** Copies some of the rows to a chunk with room for more. */
function copyOf(chunk: Chunk, from: number, until: number, capacity: number): Chunk {
  const copy = emptyChunk(capacity);
  for (const [old, made, width] of pairsOf(chunk, copy)) made.set(old.subarray(from * width, until * width));
  copy.count = until - from;
  copy.had = { ...chunk.had };
  return copy;
}

export const bitOf = (code: number): number => 1 << (code % 32);

function write(chunk: Chunk, at: number, { id, numbers, codes, isStuck, beginning }: Row): void {
  chunk.ids.set(id, at * idBytes);
  chunk.beginnings.set(beginning, at * beginningBytes);
  chunk.stuck[at] = isStuck ? 1 : 0;
  for (const name of numberColumns) chunk.numbers[name][at] = numbers[name];
  for (const name of codeColumns) {
    chunk.codes[name][at] = codes[name];
    chunk.had[name] |= bitOf(codes[name]);
  }
}

/**
 * Returns less than 0 when the row of the chunk is older than a place, 0 when it is at that place. A place without an id comes after all
 * ids of its instant.
 */
function compare(chunk: Chunk, at: number, createdAt: number, id: Uint8Array | undefined): number {
  const difference = (chunk.numbers.createdAt[at] ?? 0) - createdAt;
  if (difference !== 0) return difference;
  if (id === undefined) return -1;
  for (let byte = 0; byte < idBytes; byte += 1) {
    const one = (chunk.ids[at * idBytes + byte] ?? 0) - (id[byte] ?? 0);
    if (one !== 0) return one;
  }
  return 0;
}

/** Returns how many rows of the chunk are older than a place. */
export function countBefore(chunk: Chunk, createdAt: number, id: Uint8Array | undefined): number {
  let [low, high] = [0, chunk.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(chunk, middle, createdAt, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Inserts a row at its place in consecutive chunks, or overwrites the row that is there. Returns true when the row is new. */
export function putRow(chunks: Chunk[], row: Row): boolean {
  if (chunks.length === 0) chunks.push(emptyChunk(fewestRows));
  const index = indexFor(chunks, row);
  const chunk = chunks[index];
  if (chunk === undefined) throw new Error("there is no chunk for a row");
  const at = countBefore(chunk, row.numbers.createdAt, row.id);
  if (at < chunk.count && compare(chunk, at, row.numbers.createdAt, row.id) === 0) {
    write(chunk, at, row);
    return false;
  }
  if (chunk.count < capacityOf(chunk)) insert(chunk, at, row);
  else {
    const [first, second] = withRoom(chunk, at);
    chunks.splice(index, 1, ...(second === undefined ? [first] : [first, second]));
    const isSecond = second !== undefined && (at > first.count || first.count === capacityOf(first));
    if (isSecond) insert(second, at - first.count, row);
    else insert(first, at, row);
  }
  return true;
}

/** Returns the last chunk that begins before a row, or else the first. Nearly every new row is newer than all others. */
function indexFor(chunks: readonly Chunk[], { numbers, id }: Row): number {
  const index = chunks.findLastIndex((chunk) => compare(chunk, 0, numbers.createdAt, id) <= 0);
  return Math.max(index, 0);
}

function insert(chunk: Chunk, at: number, row: Row): void {
  for (const [cells, , width] of pairsOf(chunk, chunk)) {
    cells.copyWithin((at + 1) * width, at * width, chunk.count * width);
  }
  write(chunk, at, row);
  chunk.count += 1;
}

/** Returns a full chunk with more room, or split in two. A chunk to which rows are added at its end stays full. */
function withRoom(chunk: Chunk, at: number): readonly [Chunk, Chunk?] {
  const { count } = chunk;
  if (count < mostRows) return [copyOf(chunk, 0, count, Math.min(2 * count, mostRows))];
  if (at === count) return [chunk, emptyChunk(mostRows)];
  const half = count / 2;
  return [copyOf(chunk, 0, half, mostRows), copyOf(chunk, half, count, mostRows)];
}
