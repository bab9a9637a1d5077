import { exactMembers, ownMembers } from "./gen/facts.ts";
import { decimal } from "./money.ts";

/** The digits of a number as they were in the text. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
}

/** JSON of Node 21 and of browsers since 2023: the only way to write and read digits unchanged. */
const exactJson = JSON as unknown as ExactJson;

/** Throws in environments that can read amounts only through floats. */
export function requireExactJson(): void {
  if (typeof exactJson.rawJSON !== "function") {
    throw new TypeError("JSON.rawJSON is missing: Node 22 or newer is needed, or a browser of 2023 or later");
  }
}

/** Reads JSON. Exact members become texts with the digits that were sent. */
export function readJson(text: string, exact: ReadonlySet<string> = exactMembers): unknown {
  const parsed = exactJson.parse(text, (key, value, { source }) =>
    typeof value === "number" && source !== undefined && exact.has(key) ? new Digits(source) : value,
  );
  return settle(parsed, false);
}

/** Restores plain numbers in objects with the caller's own members. */
function settle(value: unknown, isOwn: boolean): unknown {
  if (value instanceof Digits) return isOwn ? Number(value.text) : decimal(value.text);
  if (Array.isArray(value)) return value.map((item: unknown) => settle(item, isOwn));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, settle(member, isOwn || ownMembers.has(name))]),
  );
}

/** Writes JSON. Exact members are texts of digits, or bigints, and become numbers with just these digits; floats are refused. */
export const writeJson = (value: unknown): string => JSON.stringify(exactly(value, ""));

function exactly(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => exactly(item, place));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const path = place === "" ? name : `${place}.${name}`;
      if (ownMembers.has(name)) return [name, member];
      return [name, exactMembers.has(name) ? digitsOfMember(member, path) : exactly(member, path)];
    }),
  );
}

function digitsOfMember(value: unknown, path: string): unknown {
  switch (typeof value) {
    case "string":
      return exactJson.rawJSON(decimal(value));
    case "bigint":
      return exactJson.rawJSON(String(value));
    case "number":
      throw new TypeError(`${path} is a float: write its digits as a text, "100.10"`);
    default:
      return exactly(value, path);
  }
}
