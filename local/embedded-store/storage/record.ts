/** Arguments of a statement. */
export type Value = number | bigint | string | Uint8Array;

export interface Operation {
  code: number;
  values: Value[];
}

/** Each value starts with its kind. */
const [asNumber, asInteger, asText, asBytes] = [0, 1, 2, 3];

const chunkBytes = 256 * 1024;

export type Record = ReturnType<typeof makeRecord>;

/** The operations since the last group, one after the other, in the form of the redo log. */
export function makeRecord() {
  const first = Buffer.allocUnsafe(chunkBytes);
  /** Full chunks, and the one that is written to. A large command gets more chunks, and no data is moved. */
  let full: Buffer[] = [];
  let chunk: Buffer = first;
  let used = 0;

  /** Reserves the given number of bytes in one piece. */
  function take(bytes: number): number {
    if (used + bytes > chunk.length) {
      full.push(chunk.subarray(0, used));
      chunk = Buffer.allocUnsafe(Math.max(chunkBytes, bytes));
      used = 0;
    }
    used += bytes;
    return used - bytes;
  }

  function add(value: Value): void {
    if (typeof value === "number") {
      const at = take(9);
      chunk.writeDoubleLE(value, chunk.writeUInt8(asNumber, at));
    } else if (typeof value === "bigint") {
      const at = take(9);
      chunk.writeBigInt64LE(value, chunk.writeUInt8(asInteger, at));
    } else {
      const content = typeof value === "string" ? Buffer.from(value) : value;
      const at = take(5 + content.length);
      const kind = typeof value === "string" ? asText : asBytes;
      chunk.set(content, chunk.writeUInt32LE(content.length, chunk.writeUInt8(kind, at)));
    }
  }

  return {
    isEmpty: () => used === 0,
    add(code: number, ...values: Value[]): void {
      const at = take(2);
      chunk.writeUInt8(values.length, chunk.writeUInt8(code, at));
      for (const value of values) add(value);
    },
    /** Current end of the record, for `cut`. */
    end: () => ({ chunks: full.length, used }),
    /** Removes everything after the mark. */
    cut({ chunks, used: upTo }: { chunks: number; used: number }): void {
      if (chunks < full.length) {
        chunk = full[chunks] ?? chunk;
        full = full.slice(0, chunks);
      }
      used = upTo;
    },
    clear(): void {
      full = [];
      chunk = first;
      used = 0;
    },
    /** Valid until the next addition. */
    content: (): Buffer[] => [...full, chunk.subarray(0, used)],
  };
}

/** The operations of a record, in their order. */
export function* operationsIn(bytes: Buffer): Generator<Operation> {
  let at = 0;
  const next = (): Value => {
    const kind = bytes.readUInt8(at);
    if (kind === asNumber || kind === asInteger) {
      at += 9;
      return kind === asNumber ? bytes.readDoubleLE(at - 8) : bytes.readBigInt64LE(at - 8);
    }
    const start = at + 5;
    at = start + bytes.readUInt32LE(at + 1);
    const content = bytes.subarray(start, at);
    return kind === asText ? content.toString() : content;
  };
  while (at < bytes.length) {
    const [code, count] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
    at += 2;
    yield { code, values: Array.from({ length: count }, next) };
  }
}

/** A BSON document begins with its length, which the remaining bytes imply. */
const lengthBytes = 4;

/** The change of a document: the lengths of its unchanged start and end, and the new bytes between them. */
export interface Patch {
  start: number;
  end: number;
  middle: Uint8Array;
}

export function patchBetween(before: Uint8Array, after: Uint8Array): Patch {
  const shorter = Math.min(before.length, after.length);
  let start = lengthBytes;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  const most = shorter - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { start, end, middle: after.subarray(start, after.length - end) };
}

export function patched(before: Uint8Array, { start, end, middle }: Patch): Buffer {
  const kept = before.length - end;
  const after = Buffer.concat([before.subarray(0, start), middle, before.subarray(kept)]);
  after.writeUInt32LE(after.length);
  return after;
}
