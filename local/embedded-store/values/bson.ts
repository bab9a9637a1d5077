import {
  type Binary,
  type BSONRegExp,
  type Code,
  type Decimal128,
  type DeserializeOptions,
  type Double,
  deserialize,
  Int32,
  Long,
  type ObjectId,
  serialize,
  type Timestamp,
} from "bson";
import { CommandError, notSupported } from "../errors";

/** A decoded BSON document. Numbers stay wrapped, so that a rewrite keeps int, long, double and decimal apart. */
export type Doc = { [field: string]: unknown };

export type BsonNumber = Int32 | Long | Double | Decimal128;

const decodeOptions: DeserializeOptions = { promoteValues: false, bsonRegExp: true };
const rawDocuments: DeserializeOptions = { ...decodeOptions, fieldsAsRaw: { documents: true } };

/** Only an insertion has a first field that begins like this. */
const firstOfInsert = "i".charCodeAt(0);
const int32Type = 0x10;
const rawInsert: DeserializeOptions = { ...decodeOptions, raw: true };

export function decode(bytes: Uint8Array): Doc {
  return deserialize(bytes, decodeOptions);
}

/** Decodes a command; the elements of `documents` stay raw, so that inserts are stored byte for byte as sent. */
export function decodeCommand(bytes: Uint8Array): Doc {
  try {
    return deserialize(bytes, rawDocuments);
  } catch (error) {
    throw new CommandError("InvalidBSON", `invalid BSON: ${messageOf(error)}`);
  }
}

/** Decodes an operation of a bulk write; a document to insert stays raw. */
export const decodeOperation = (bytes: Uint8Array): Doc =>
  bytes[4] === int32Type && bytes[5] === firstOfInsert
    ? deserialize(bytes, rawInsert)
    : deserialize(bytes, decodeOptions);

export function encode(doc: Doc): Uint8Array {
  return serialize(doc, { ignoreUndefined: true });
}

export function messageOf(error: unknown): string {
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : String(error);
}

function isObject(value: unknown): value is Doc {
  return typeof value === "object" && value !== null;
}

export type TypeName =
  | "missing"
  | "minKey"
  | "null"
  | "int"
  | "long"
  | "double"
  | "decimal"
  | "string"
  | "object"
  | "array"
  | "binData"
  | "objectId"
  | "bool"
  | "date"
  | "timestamp"
  | "regex"
  | "javascript"
  | "maxKey";

const wrappedTypes: Record<string, TypeName> = {
  Int32: "int",
  Long: "long",
  Double: "double",
  Decimal128: "decimal",
  Binary: "binData",
  ObjectId: "objectId",
  Timestamp: "timestamp",
  BSONRegExp: "regex",
  Code: "javascript",
  MinKey: "minKey",
  MaxKey: "maxKey",
};

/** Returns the BSON type of a decoded value; `undefined` means a missing field. */
export function typeOf(value: unknown): TypeName {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isArray(value)) return "array";
  if (!isObject(value)) throw new CommandError("InternalError", `a plain ${typeof value} is not a BSON value`);
  const tag = value["_bsontype"];
  if (tag === undefined) return isDate(value) ? "date" : "object";
  const type = typeof tag === "string" ? wrappedTypes[tag] : undefined;
  if (type === undefined) throw notSupported(`the BSON type ${typeof tag === "string" ? tag : "without a name"}`);
  return type;
}

/** The compiler takes what Array.isArray finds for `any[]`; this keeps its elements unknown. */
export function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function isDate(value: unknown): value is Date {
  return value instanceof Date;
}

export function isDoc(value: unknown): value is Doc {
  return isObject(value) && !isArray(value) && value["_bsontype"] === undefined && !isDate(value);
}

/** A document or an array: what a path can go through. */
export function isContainer(value: unknown): value is Doc | unknown[] {
  return isArray(value) || isDoc(value);
}

const hasTag = (value: unknown, tag: string): boolean => isObject(value) && value["_bsontype"] === tag;

export const isLong = (value: unknown): value is Long => hasTag(value, "Long");
export const isInt = (value: unknown): value is Int32 => hasTag(value, "Int32");
export const isDouble = (value: unknown): value is Double => hasTag(value, "Double");
export const isDecimal = (value: unknown): value is Decimal128 => hasTag(value, "Decimal128");
export const isObjectId = (value: unknown): value is ObjectId => hasTag(value, "ObjectId");
export const isTimestamp = (value: unknown): value is Timestamp => hasTag(value, "Timestamp");
export const isBinary = (value: unknown): value is Binary => hasTag(value, "Binary");
export const isRegex = (value: unknown): value is BSONRegExp => hasTag(value, "BSONRegExp");
export const isCode = (value: unknown): value is Code => hasTag(value, "Code");

export function isNumber(value: unknown): value is BsonNumber {
  return isInt(value) || isLong(value) || isDouble(value) || isDecimal(value);
}

/** The own field of a document; never something inherited from JavaScript's object prototype. */
export function field(doc: Doc, name: string): unknown {
  return Object.hasOwn(doc, name) ? doc[name] : undefined;
}

export function setField(doc: Doc, name: string, value: unknown): void {
  if (name === "__proto__") throw notSupported("a field named __proto__");
  doc[name] = value;
}

/** A deep copy of documents and arrays; scalars are immutable and shared. */
export function copy<T>(value: T): T;
export function copy(value: unknown): unknown {
  if (isArray(value)) return value.map((item) => copy(item));
  if (!isDoc(value)) return value;
  const result: Doc = {};
  for (const name of Object.keys(value)) result[name] = copy(value[name]);
  return result;
}

/** The smallest wrapper for a JavaScript integer. */
export function wrapInteger(value: number): Int32 | Long {
  return value >= -0x8000_0000 && value <= 0x7fff_ffff ? new Int32(value) : Long.fromNumber(value);
}
