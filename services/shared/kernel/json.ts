import { hash } from "node:crypto";
import { readCallerText } from "./caller-text";
import { cardRule, holdsCardNumber } from "./card-number";
import { type FieldViolation, invalid } from "./errors";
import { formatDecimal, parseDecimal } from "./money";

/** Bounds of a request body, checked while it is parsed. */
export interface JsonLimits {
  /** Objects and arrays inside one another. */
  depth: number;
  /** Keys of all objects together. */
  keys: number;
  /** UTF-16 units of one string. */
  stringLength: number;
  /** Elements of one array. */
  arrayLength: number;
  /** UTF-16 units of one key. */
  keyLength: number;
  /** UTF-16 units of a dotted path. Paths are stored with numbers and named in refusals, so they must stay short. */
  pathLength: number;
  /**
   * True for callers' input: text must pass `readText`, and a number that is not read from its own digits must survive the
   * conversion to a double.
   */
  isFromCaller?: boolean;
}

const requestLimits: JsonLimits = {
  isFromCaller: true,
  depth: 32,
  keys: 1_000,
  stringLength: 4_096,
  arrayLength: 100,
  keyLength: 64,
  pathLength: 512,
};

/** Bounds of a provider's answer, whose texts are only read. */
export const answerLimits: JsonLimits = { ...requestLimits, isFromCaller: false };

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** A parsed body. Values are plain; `numbers` keeps, by dotted path, the text of each number, so that amounts stay exact. */
export interface ParsedJson {
  value: JsonValue;
  numbers: ReadonlyMap<string, string>;
}

/**
 * Characters that are escaped when a key is written as JSON. JSON.parse of Node 24 can confuse an escaped key with another
 * that it saw in the same place (https://github.com/nodejs/node/issues/63785).
 */
const escapedInKey = /["\\\p{Cc}]/u;
const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const stringToken = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
/** Text that reads as it stands: nothing in it is escaped, and composing it changes nothing. */
const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
/** Keys that no rule of characters refuses. */
const plainKey = /^[A-Za-z0-9_-]+$/;
const [tab, lineFeed, carriageReturn, space, quote] = [0x09, 0x0a, 0x0d, 0x20, 0x22] as const;

/** The reader's position in the text, and its counts. */
interface Cursor {
  readonly text: string;
  readonly limits: JsonLimits;
  readonly numbers: Map<string, string>;
  at: number;
  keys: number;
}

/**
 * Parses JSON text (RFC 8259) within limits. Refuses input that parsers disagree about: duplicate keys, keys that name a
 * prototype, lone surrogates, and anything after the value. Also refuses keys with a dot, since a dotted path must be
 * unambiguous, and keys that JSON must escape. Throws INVALID_ARGUMENT with the path and the rule.
 */
export function parseJson(text: string, limits: JsonLimits = requestLimits): ParsedJson {
  const cursor: Cursor = { text, limits, numbers: new Map(), at: 0, keys: 0 };
  const value = readValue(cursor, "", 0);
  skipSpace(cursor);
  if (cursor.at !== text.length) failSyntax(cursor, "");
  return { value, numbers: cursor.numbers };
}

function fail(path: string, message: string): never {
  throw invalid([{ field: path === "" ? "body" : path, message }]);
}

/** Refuses the text at the place where it stops being JSON; lines and columns count from 1, columns in UTF-16 units. */
function failSyntax({ text, at }: Cursor, path: string): never {
  const before = text.slice(0, at);
  const [line, column] = [before.split("\n").length, at - before.lastIndexOf("\n")];
  const where = `line ${line}, column ${column}`;
  fail(path, at >= text.length ? `is not valid JSON: it ends too early, at ${where}` : `is not valid JSON at ${where}`);
}

const child = (path: string, segment: string | number): string =>
  path === "" ? String(segment) : `${path}.${segment}`;

function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) at += 1;
  cursor.at = at;
}

const isSpace = (code: number): boolean =>
  code === space || code === lineFeed || code === carriageReturn || code === tab;

function take(cursor: Cursor, token: string, path: string): void {
  if (!cursor.text.startsWith(token, cursor.at)) failSyntax(cursor, path);
  cursor.at += token.length;
}

function match(cursor: Cursor, token: RegExp): RegExpExecArray | null {
  token.lastIndex = cursor.at;
  const found = token.exec(cursor.text);
  if (found !== null) cursor.at = token.lastIndex;
  return found;
}

function readValue(cursor: Cursor, path: string, depth: number): JsonValue {
  skipSpace(cursor);
  switch (cursor.text[cursor.at]) {
    case "{":
    case "[":
      return readContainer(cursor, path, depth + 1);
    case '"':
      return readString(cursor, path);
    case "t":
      take(cursor, "true", path);
      return true;
    case "f":
      take(cursor, "false", path);
      return false;
    case "n":
      take(cursor, "null", path);
      return null;
    default:
      return readNumber(cursor, path);
  }
}

function readContainer(cursor: Cursor, path: string, depth: number): JsonValue {
  if (depth > cursor.limits.depth) fail(path, `must not be nested deeper than ${cursor.limits.depth}`);
  if (path.length > cursor.limits.pathLength) fail(path.slice(0, 64), "must not have so long a path");
  return cursor.text[cursor.at] === "{" ? readObject(cursor, path, depth) : readArray(cursor, path, depth);
}

function readObject(cursor: Cursor, path: string, depth: number): JsonObject {
  const object: JsonObject = {};
  let isFirst = true;
  cursor.at += 1;
  skipSpace(cursor);
  while (cursor.text[cursor.at] !== "}") {
    if (!isFirst) take(cursor, ",", path);
    isFirst = false;
    skipSpace(cursor);
    const key = readKey(cursor, path, object);
    object[key] = readValue(cursor, child(path, key), depth);
    skipSpace(cursor);
  }
  cursor.at += 1;
  return object;
}

function readKey(cursor: Cursor, path: string, object: JsonObject): string {
  const key = readString(cursor, path);
  cursor.keys += 1;
  if (key.length > cursor.limits.keyLength)
    fail(path, `must have keys of at most ${cursor.limits.keyLength} characters`);
  if (key === "") fail(path, "must not have an empty key");
  if (cursor.keys > cursor.limits.keys) fail(path, `must have at most ${cursor.limits.keys} keys in all`);
  const isPlain = plainKey.test(key);
  if (forbiddenKeys.has(key) || (!isPlain && key.includes("."))) fail(child(path, key), "is not an allowed key");
  if (!isPlain && escapedInKey.test(key))
    fail(path, "must have keys without quotation marks, backslashes and control characters");
  if (Object.hasOwn(object, key)) fail(child(path, key), "must not be given twice");
  skipSpace(cursor);
  take(cursor, ":", path);
  return key;
}

function readArray(cursor: Cursor, path: string, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  cursor.at += 1;
  skipSpace(cursor);
  while (cursor.text[cursor.at] !== "]") {
    if (items.length > 0) take(cursor, ",", path);
    if (items.length === cursor.limits.arrayLength)
      fail(path, `must have at most ${cursor.limits.arrayLength} elements`);
    items.push(readValue(cursor, child(path, items.length), depth));
    skipSpace(cursor);
  }
  cursor.at += 1;
  return items;
}

function readString(cursor: Cursor, path: string): string {
  const { text, at: begin, limits } = cursor;
  const end = text.charCodeAt(begin) === quote ? text.indexOf('"', begin + 1) : -1;
  const plain = end < 0 ? "" : text.slice(begin + 1, end);
  const isPlain = end >= 0 && plainText.test(plain);
  if (isPlain) cursor.at = end + 1;
  const value = isPlain ? plain : readEscaped(cursor, path);
  if (value.length > limits.stringLength) fail(path, `must be at most ${limits.stringLength} characters long`);
  if (!isPlain && (!value.isWellFormed() || value.includes("\u0000"))) {
    fail(path, "must be valid Unicode text without NUL");
  }
  if (limits.isFromCaller !== true) return value;
  const read = readCallerText(value, path);
  return "problem" in read ? fail(path, read.problem) : read.value;
}

/** Reads any string at all. */
function readEscaped(cursor: Cursor, path: string): string {
  const begin = cursor.at;
  const found = match(cursor, stringToken);
  return found === null ? failSyntax(cursor, path) : decodeString(found[0], { ...cursor, at: begin }, path);
}

function decodeString(token: string, begin: Cursor, path: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return failSyntax(begin, path);
  }
}

function readNumber(cursor: Cursor, path: string): number {
  const found = match(cursor, numberToken);
  if (found === null) return failSyntax(cursor, path);
  const [token] = found;
  cursor.numbers.set(path, token);
  const number = Number.parseFloat(token);
  if (cursor.limits.isFromCaller !== true || exactDecimals.has(path)) return number;
  if (Number.isInteger(number) && holdsCardNumber(BigInt(number).toString())) fail(path, cardRule);
  if (!isKept(token, number)) {
    fail(path, "must be a number that is kept exactly: at most 15 significant digits, or a string");
  }
  return number;
}

/** Fields whose numbers are read from their own digits (`numbers`), however many there are. */
const exactDecimals: ReadonlySet<string> = new Set([
  "amount",
  "amount.total",
  "exchangeRate",
  "recipientAmount.total",
  "sourceCurrencyAmount",
]);

/** True when a number survives the conversion to a double and back. */
function isKept(token: string, number: number): boolean {
  // A double keeps any fifteen digits.
  if (token.length <= 15 && !/[eE]/.test(token)) return true;
  if (!Number.isFinite(number)) return false;
  const [given, kept] = [digitsOf(token), digitsOf(String(number))];
  return given.digits === kept.digits && given.exponent === kept.exponent && (number !== 0 || given.digits === "");
}

/** A number as its digits without leading and trailing zeros, and the power of ten of the last one. */
function digitsOf(token: string): { digits: string; exponent: number } {
  const [, whole = "", fraction = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return { digits, exponent: 0 };
  return { digits, exponent: Number.parseInt(power, 10) - fraction.length + all.length - digits.length };
}

/** Parses a body whose root must be an object. */
export function parseJsonObject(
  text: string,
  limits?: JsonLimits,
): { value: JsonObject; numbers: ParsedJson["numbers"] } {
  const { value, numbers } = parseJson(text, limits);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw invalid([{ field: "body", message: "must be a JSON object" } satisfies FieldViolation]);
  }
  return { value, numbers };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 strictly: a malformed sequence or a byte order mark is INVALID_ARGUMENT. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (!text.startsWith("\uFEFF")) return text;
  } catch {
    // The refusal below covers both cases.
  }
  throw invalid([{ field: "body", message: "must be UTF-8 text without a byte order mark" }]);
}

/** A parsed object with the text of its numbers. */
interface ParsedObject {
  value: JsonObject;
  numbers: ParsedJson["numbers"];
}

/**
 * Returns a text per top-level field. Two requests have the same content exactly when all texts are equal: key order and
 * white space do not matter, and numbers are compared by value.
 */
function fieldTexts({ value, numbers }: ParsedObject): Record<string, string> {
  const entries = Object.entries(value).map(([key, field]) => [key, canonicalText(field, key, numbers)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A hash per top-level field, of its text. */
export const fieldHashes = (object: ParsedObject): Record<string, string> =>
  Object.fromEntries(Object.entries(fieldTexts(object)).map(([key, text]) => [key, hash("sha256", text, "base64url")]));

function canonicalText(value: JsonValue, path: string, numbers: ParsedJson["numbers"]): string {
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => canonicalText(item, `${path}.${index}`, numbers)).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).toSorted();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null, `${path}.${key}`, numbers)}`).join(",")}}`;
  }
  if (typeof value !== "number") return JSON.stringify(value);
  const lexeme = numbers.get(path) ?? String(value);
  const decimal = parseDecimal(lexeme);
  return decimal === undefined ? lexeme : formatDecimal(decimal);
}
