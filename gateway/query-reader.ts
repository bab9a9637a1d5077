import { readCallerText } from "../services/shared/kernel/caller-text";
import { invalid } from "../services/shared/kernel/errors";
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
    const named = readCallerText(name);
    if ("problem" in named) throw invalid([{ field: "query", message: named.problem }]);
    const field = name.slice(0, 64) || "query";
    if (values.has(name)) throw invalid([{ field, message: "must be given once" }]);
    const read = readCallerText(sent);
    if ("problem" in read) throw invalid([{ field, message: read.problem }]);
    values.set(name, read.value);
  }
  const fields = readFields(Object.fromEntries(values));
  return {
    ...fields,
    wholeNumber(name, { min, max, fallback }) {
      const value = values.get(name);
      if (value === undefined) return fallback;
      const number = /^\d{1,15}$/.test(value) ? Number.parseInt(value, 10) : Number.NaN;
      const isWithin = number >= min && number <= max;
      fields.check(isWithin, name, `must be a whole number from ${min} to ${max}`);
      return isWithin ? number : fallback;
    },
  };
}
