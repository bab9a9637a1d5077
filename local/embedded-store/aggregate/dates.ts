import { CommandError, notSupported } from "../errors";
import { isDate, isDoc, isObjectId, isTimestamp, wrapInteger } from "../values/bson";
import type { Operator } from "./scope";

/** Date expressions work in UTC; any other time zone is refused. */
export function requireDate(name: string, value: unknown): Date | null {
  if (value === undefined || value === null) return null;
  if (isDate(value)) return value;
  if (isObjectId(value)) return value.getTimestamp();
  if (isTimestamp(value)) return new Date(value.getHighBits() * 1_000);
  if (isDoc(value) && "date" in value) {
    refuseZone(name, value["timezone"]);
    return requireDate(name, value["date"]);
  }
  throw new CommandError(16_006, `can't convert the input of ${name} to a date`);
}

function refuseZone(name: string, zone: unknown): void {
  if (zone !== undefined && zone !== "UTC" && zone !== "GMT")
    throw notSupported(`the time zone ${typeof zone === "string" ? zone : "of a field"} in ${name}`);
}

const part = (name: string, read: (date: Date) => number): Operator => ({
  least: 1,
  most: 1,
  apply: ([value]) => {
    const date = requireDate(name, value);
    return date === null ? null : wrapInteger(read(date));
  },
});

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;

const specifiers: Record<string, (date: Date) => string> = {
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1, 2),
  d: (date) => pad(date.getUTCDate(), 2),
  H: (date) => pad(date.getUTCHours(), 2),
  M: (date) => pad(date.getUTCMinutes(), 2),
  S: (date) => pad(date.getUTCSeconds(), 2),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  j: (date) => pad(dayOfYear(date), 3),
  z: () => "+0000",
  "%": () => "%",
};

function dateToString([operand]: unknown[]): unknown {
  if (!isDoc(operand)) throw new CommandError(18_629, "$dateToString takes an object");
  const unknown = Object.keys(operand).find((name) => !["date", "format", "timezone", "onNull"].includes(name));
  if (unknown !== undefined) throw new CommandError(18_534, `Unrecognized argument to $dateToString: ${unknown}`);
  refuseZone("$dateToString", operand["timezone"]);
  const date = requireDate("$dateToString", operand["date"]);
  if (date === null) return operand["onNull"] ?? null;
  const format = operand["format"] ?? "%Y-%m-%dT%H:%M:%S.%LZ";
  if (typeof format !== "string") throw new CommandError(18_533, "$dateToString requires that 'format' be a string");
  return format.replace(/%(.)/g, (_all, letter: string) => {
    const write = specifiers[letter];
    if (write === undefined) throw new CommandError(18_536, `Invalid format character '%${letter}' in $dateToString`);
    return write(date);
  });
}

export const dateOperators: Record<string, Operator> = {
  $year: part("$year", (date) => date.getUTCFullYear()),
  $month: part("$month", (date) => date.getUTCMonth() + 1),
  $dayOfMonth: part("$dayOfMonth", (date) => date.getUTCDate()),
  $dayOfYear: part("$dayOfYear", dayOfYear),
  $dayOfWeek: part("$dayOfWeek", (date) => date.getUTCDay() + 1),
  $hour: part("$hour", (date) => date.getUTCHours()),
  $minute: part("$minute", (date) => date.getUTCMinutes()),
  $second: part("$second", (date) => date.getUTCSeconds()),
  $millisecond: part("$millisecond", (date) => date.getUTCMilliseconds()),
  $dateToString: { least: 1, most: 1, apply: dateToString },
};
