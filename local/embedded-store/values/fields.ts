import { CommandError } from "../errors";
import { type Doc, decode } from "./bson";

/** Bytes of a value by the type before it, where they are always as many. */
const fixedSizes = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);
/** Types that begin with their length, and what comes on top of that length. */
const sizedTypes = new Map([
  [0x02, 4],
  [0x05, 5],
  [0x0d, 4],
  [0x0e, 4],
]);
const [objectType, arrayType, regexType, codeWithScope] = [0x03, 0x04, 0x0b, 0x0f];

const broken = (what: string) => new CommandError("InvalidBSON", `invalid BSON: ${what}`);

/**
 * Decodes the requested fields of a document; the others are only checked for completeness. This stores a document of many
 * kilobytes with a few indexed fields at a fraction of the cost.
 */
export const decodeFields = (document: Uint8Array, names: ReadonlySet<string>): Doc =>
  decodeSome(document, names, true);

/** Decodes the requested fields of a document that was checked when it was stored. */
export const decodeStoredFields = (document: Uint8Array, names: ReadonlySet<string>): Doc =>
  decodeSome(document, names, false);

function decodeSome(document: Uint8Array, names: ReadonlySet<string>, isChecked: boolean): Doc {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const kept: Buffer[] = [];
  let size = 5;
  walk(bytes, { from: 0, limit: bytes.length, isChecked }, (name, start, end) => {
    if (!names.has(name)) return;
    kept.push(bytes.subarray(start, end));
    size += end - start;
  });
  const head = Buffer.alloc(4);
  head.writeInt32LE(size);
  return decode(Buffer.concat([head, ...kept, Buffer.alloc(1)], size));
}

/** Returns the name of the first field; undefined for an empty document. */
export function firstField(bytes: Uint8Array): string | undefined {
  if (bytes.length <= 5) return undefined;
  const end = bytes.indexOf(0, 5);
  return Buffer.from(bytes.subarray(5, Math.max(5, end))).toString();
}

type Visit = (name: string, start: number, end: number) => void;

interface Span {
  from: number;
  limit: number;
  /** Whether nested fields are checked the same way. */
  isChecked: boolean;
}

/** Visits the fields of the document at `from`. */
function walk(bytes: Buffer, { from, limit, isChecked }: Span, visit?: Visit): void {
  if (from + 5 > limit) throw broken("a document is cut off");
  const end = from + bytes.readInt32LE(from);
  if (end > limit || end < from + 5 || bytes[end - 1] !== 0) throw broken("a document has a wrong length");
  let at = from + 4;
  while (at < end - 1) {
    const start = at;
    const type = bytes.readUInt8(at);
    const nameEnd = textEnd(bytes, at + 1, end);
    at = nameEnd + sizeOf(bytes, type, { from: nameEnd, limit: end - 1, isChecked });
    if (at > end - 1) throw broken("a value is cut off");
    visit?.(bytes.toString("utf8", start + 1, nameEnd - 1), start, at);
  }
}

/** Returns the position after the zero that ends a text without a length. */
function textEnd(bytes: Buffer, at: number, limit: number): number {
  let end = at;
  while (end < limit && bytes[end] !== 0) end += 1;
  if (end >= limit) throw broken("a name is not ended");
  return end + 1;
}

function sizeOf(bytes: Buffer, type: number, span: Span): number {
  const { from: at, limit, isChecked } = span;
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return fixed;
  if (type === regexType) return textEnd(bytes, textEnd(bytes, at, limit), limit) - at;
  if (at + 4 > limit) throw broken("a value is cut off");
  const length = bytes.readInt32LE(at);
  if (length < 0) throw broken("a value has a wrong length");
  if (type === objectType || type === arrayType) {
    if (isChecked) walk(bytes, span);
    return length;
  }
  if (type === codeWithScope) return length;
  const extra = sizedTypes.get(type);
  if (extra === undefined) throw broken(`unknown type ${type}`);
  return length + extra;
}
