import type { Binary } from "bson";
import { CommandError } from "../errors";
import {
  type Doc,
  field,
  isArray,
  isBinary,
  isCode,
  isDate,
  isDoc,
  isNumber,
  isObjectId,
  isRegex,
  isTimestamp,
  type TypeName,
  typeOf,
} from "./bson";
import { compareNumbers } from "./numbers";

/** MongoDB's order of types. Types of one rank compare by value with each other, all others by rank. */
export const typeRank: Record<TypeName, number> = {
  missing: 3,
  minKey: 1,
  null: 5,
  int: 10,
  long: 10,
  double: 10,
  decimal: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  javascript: 55,
  maxKey: 127,
};

export function rankOf(value: unknown): number {
  return typeRank[typeOf(value)];
}

/** Compares two values as MongoDB sorts them. A missing value is below null; sorting and indexing replace it by null. */
export function compare(left: unknown, right: unknown): number {
  const type = typeOf(left);
  const difference = typeRank[type] - rankOf(right);
  return difference === 0 ? compareSameRank(type, left, right) : Math.sign(difference);
}

export function equal(left: unknown, right: unknown): boolean {
  return compare(left, right) === 0;
}

function compareSameRank(type: TypeName, left: unknown, right: unknown): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (isDate(left) && isDate(right)) return Math.sign(left.getTime() - right.getTime());
  if (isDoc(left) && isDoc(right)) return compareDocs(left, right);
  if (isArray(left) && isArray(right)) return compareArrays(left, right);
  if (type === "missing" || type === "null" || type === "minKey" || type === "maxKey") return 0;
  if (type === "bool") return Number(left) - Number(right);
  return Math.sign(Buffer.compare(bodyBytes(left), bodyBytes(right)));
}

/** Strings compare by code point, as their UTF-8 bytes do; UTF-16 units differ from that for surrogates. */
function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return Math.sign(codePointWeight(a) - codePointWeight(b));
  }
  return Math.sign(left.length - right.length);
}

const codePointWeight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit);

function compareDocs(left: Doc, right: Doc): number {
  const leftNames = Object.keys(left);
  const rightNames = Object.keys(right);
  const shorter = Math.min(leftNames.length, rightNames.length);
  for (let at = 0; at < shorter; at += 1) {
    const a = leftNames[at] ?? "";
    const b = rightNames[at] ?? "";
    const x = field(left, a);
    const y = field(right, b);
    const order = rankOf(x) - rankOf(y) || compareStrings(a, b) || compare(x, y);
    if (order !== 0) return Math.sign(order);
  }
  return Math.sign(leftNames.length - rightNames.length);
}

function compareArrays(left: unknown[], right: unknown[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const order = compare(left[at], right[at]);
    if (order !== 0) return order;
  }
  return Math.sign(left.length - right.length);
}

/** Order-preserving, prefix-free bytes of the types whose order is that of plain bytes. Shared with the index keys. */
export function bodyBytes(value: unknown): Buffer {
  if (isObjectId(value)) return Buffer.from(value.id);
  if (isTimestamp(value))
    return uint64Bytes((BigInt(value.getHighBitsUnsigned()) << 32n) | BigInt(value.getLowBitsUnsigned()));
  if (isBinary(value)) return binaryBytes(value);
  if (isRegex(value)) return Buffer.from(`${value.pattern}\0${value.options}\0`);
  if (isCode(value)) return Buffer.from(`${value.code}\0`);
  throw new CommandError("InternalError", `no byte order for ${typeOf(value)}`);
}

function binaryBytes(value: Binary): Buffer {
  const content = value.value();
  const head = Buffer.alloc(5);
  head.writeUInt32BE(content.length);
  head.writeUInt8(value.sub_type, 4);
  return Buffer.concat([head, content]);
}

export function uint64Bytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
  return bytes;
}
