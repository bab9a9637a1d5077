import { type BsonNumber, type Doc, field, isArray, isDate, isDoc, isNumber, typeOf } from "./bson";
import { doubleParts, type Exact, exactParts, safeDouble, subtractExact } from "./numbers";
import { bodyBytes, rankOf, typeRank, uint64Bytes } from "./order";

/**
 * Order-preserving bytes of values: comparing keys with memcmp gives MongoDB's order. Each key is a rank byte and a
 * prefix-free body, so keys of compound indexes are simply joined. A missing field has the key of null.
 */

/** The key of the empty array, which has an index entry but equals no value that a query can name. */
export const emptyArrayKey = Buffer.from([2]);
const nullKey = Buffer.from([typeRank.null]);

export function keyOf(value: unknown): Buffer {
  if (value === undefined || value === null) return nullKey;
  return Buffer.concat(parts(value));
}

/** The first key above all keys that start with this one. */
export function keyAfter(key: Buffer): Buffer {
  const next = Buffer.from(key);
  for (let at = next.length - 1; at >= 0; at -= 1) {
    const byte = next[at] ?? 0;
    if (byte < 0xff) {
      next[at] = byte + 1;
      return next.subarray(0, at + 1);
    }
  }
  return Buffer.concat([key, Buffer.alloc(1, 0xff)]);
}

/** The bytes that all keys of this value's type rank start with. */
export function rankKey(value: unknown): Buffer {
  return Buffer.from([rankOf(value)]);
}

function parts(value: unknown): Buffer[] {
  return [Buffer.from([rankOf(value)]), ...body(value)];
}

function body(value: unknown): Buffer[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [stringBody(value)];
  if (typeof value === "boolean") return [Buffer.from([Number(value)])];
  if (isNumber(value)) return [numberBody(value)];
  if (isDate(value)) return [uint64Bytes(BigInt(value.getTime()) + 2n ** 63n)];
  if (isArray(value)) return [...value.flatMap(parts), Buffer.alloc(1)];
  if (isDoc(value)) return docBody(value);
  const type = typeOf(value);
  return type === "minKey" || type === "maxKey" ? [] : [bodyBytes(value)];
}

function docBody(doc: Doc): Buffer[] {
  const fields = Object.keys(doc).flatMap((name) => {
    const value = field(doc, name);
    return [Buffer.from([rankOf(value)]), stringBody(name), ...body(value)];
  });
  return [...fields, Buffer.alloc(1)];
}

/** UTF-8 with a two-byte terminator; a zero inside is escaped so that it stays above the terminator. */
function stringBody(text: string): Buffer {
  if (text.includes("\0")) return Buffer.from(`${text.replaceAll("\0", "\0\u{1}")}\0\0`);
  return Buffer.from(`${text}\0\0`);
}

const noRemainder = 0x80;

/**
 * The nearest double below or above as eight sortable bytes, then the exact remainder: one byte for most numbers, and
 * sign, magnitude and digits for longs past 2^53 and for decimals that are no doubles.
 */
function numberBody(value: BsonNumber): Buffer {
  const safe = safeDouble(value);
  if (safe !== undefined) return joinNumber(safe, undefined);
  const exact = exactParts(value);
  if (typeof exact === "string") return joinNumber(Number(exact), undefined);
  const nearest = clampToDouble(Number(`${exact.mantissa}e${exact.exponent}`));
  const base = doubleParts(nearest);
  if (typeof base === "string") return joinNumber(nearest, undefined);
  return joinNumber(nearest, subtractExact(exact, base));
}

const clampToDouble = (value: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));

function joinNumber(double: number, remainder: Exact | undefined): Buffer {
  if (remainder === undefined || remainder.mantissa === 0n) {
    const bytes = Buffer.alloc(9, noRemainder);
    writeSortable(bytes, double);
    return bytes;
  }
  const bytes = Buffer.alloc(8);
  writeSortable(bytes, double);
  return Buffer.concat([bytes, remainderBytes(remainder)]);
}

function writeSortable(bytes: Buffer, double: number): void {
  if (Number.isNaN(double)) {
    bytes.fill(0, 0, 8);
    return;
  }
  bytes.writeDoubleBE(double === 0 ? 0 : double);
  if ((bytes[0] ?? 0) & 0x80) {
    for (let at = 0; at < 8; at += 1) bytes[at] = ~(bytes[at] ?? 0) & 0xff;
  } else {
    bytes[0] = (bytes[0] ?? 0) | 0x80;
  }
}

/** Decimal exponents of remainders lie well inside these two bytes. */
const exponentBias = 0x8000;

function remainderBytes({ mantissa, exponent }: Exact): Buffer {
  const negative = mantissa < 0n;
  const digits = (negative ? -mantissa : mantissa).toString();
  const magnitude = Buffer.alloc(2);
  magnitude.writeUInt16BE(exponent + digits.length + exponentBias);
  const text = Buffer.concat([magnitude, Buffer.from(digits.replace(/0+$/, "")), Buffer.alloc(1)]);
  if (negative) for (let at = 0; at < text.length; at += 1) text[at] = ~(text[at] ?? 0) & 0xff;
  return Buffer.concat([Buffer.from([negative ? noRemainder - 1 : noRemainder + 1]), text]);
}
