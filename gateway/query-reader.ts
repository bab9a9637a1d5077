import { invalid } from "../services/shared/errors";
import { readText, textRule } from "../services/shared/text";
import { type FieldReader, readFields } from "./field-reader";
import type { Call } from "./route";

/** Reads the parameters of a query like the fields of a body. */
export interface QueryReader extends FieldReader {
  /** A whole number from `min` to `max`; `fallback` when it is absent. */
  wholeNumber(name: string, rule: { min: number; max: number; fallback: number }): number;
}

/** Throws INVALID_ARGUMENT when a parameter is given twice: which one is meant would be a guess. */
export function readQuery(call: Pick<Call, "query">): QueryReader {
  const values = new Map<string, string>();
  for (const [name, sent] of new URLSearchParams(call.query)) {
    const field = name.slice(0, 64) || "query";
    const value = readText(sent);
    if (values.has(name)) throw invalid([{ field, message: "must be given once" }]);
    if (value === undefined) throw invalid([{ field, message: textRule }]);
    values.set(name, value);
  }
  const fields = readFields(Object.fromEntries(values));
  return {
    ...fields,
    wholeNumber(name, { min, max, fallback }) {
      const value = values.get(name);
      if (value === undefined) return fallback;
      const number = /^\d{1,15}$/.test(value) ? Number.parseInt(value, 10) : Number.NaN;
      fields.check(number >= min && number <= max, name, `must be a whole number from ${min} to ${max}`);
      return number;
    },
  };
}
