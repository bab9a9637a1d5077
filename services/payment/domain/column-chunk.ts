/** Columns of numbers, of codes and of flags that each row has. */
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

/** One row, as it is kept. */
export interface Row {
  /** 16 bytes, in the order of the ids as text. */
  id: Uint8Array;
  numbers: Readonly<Record<NumberColumn, number>>;
  codes: Readonly<Record<CodeColumn, number>>;
  isStuck: boolean;
  /** The first bytes of the caller's id, filled up with zeros. */
  beginning: Uint8Array;
}

export const idBytes = 16;
/** So much of the caller's id is looked at; the payment itself distinguishes ids that begin alike. */
export const beginningBytes = 16;
/** Rows of a chunk: what a row that comes late moves, and what is skipped at once where it has nothing that is asked for. */
const mostRows = 4_096;
const fewestRows = 64;

/** Rows that follow each other, the oldest first, column by column. */
export interface Chunk {
  count: number;
  ids: Uint8Array;
  beginnings: Uint8Array;
  stuck: Uint8Array;
  numbers: Record<NumberColumn, Float64Array>;
  codes: Record<CodeColumn, Uint32Array>;
  /** Bits of the codes that each column has had. A code without its bit is not here. */
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

/** Every column of two chunks side by side, with how many cells a row has. */
function* pairsOf(from: Chunk, to: Chunk): Generator<readonly [from: Cells, to: Cells, width: number]> {
  yield [from.ids, to.ids, idBytes];
  yield [from.beginnings, to.beginnings, beginningBytes];
  yield [from.stuck, to.stuck, 1];
  for (const name of numberColumns) yield [from.numbers[name], to.numbers[name], 1];
  for (const name of codeColumns) yield [from.codes[name], to.codes[name], 1];
}

const capacityOf = (chunk: Chunk): number => chunk.stuck.length;

/** A chunk of some of the rows, with room for more. */
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

/** Below 0 when the row of the chunk is older than a place, 0 when it is there. Bytes that are left out are the last of all. */
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

/** How many rows of the chunk are older than a place. */
export function countBefore(chunk: Chunk, createdAt: number, id: Uint8Array | undefined): number {
  let [low, high] = [0, chunk.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(chunk, middle, createdAt, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts a row in its place among chunks that follow each other, or writes over what is there. True when it is new. */
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

/** The last chunk that begins before a row, or else the first. Nearly all that comes is newer than what is there. */
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

/** A full chunk, larger; or as two. One to which rows are added at the end stays full. */
function withRoom(chunk: Chunk, at: number): readonly [Chunk, Chunk?] {
  const { count } = chunk;
  if (count < mostRows) return [copyOf(chunk, 0, count, Math.min(2 * count, mostRows))];
  if (at === count) return [chunk, emptyChunk(mostRows)];
  const half = count / 2;
  return [copyOf(chunk, 0, half, mostRows), copyOf(chunk, half, count, mostRows)];
}
