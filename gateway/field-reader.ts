import { type FieldViolation, hasReason, invalid } from "../services/shared/kernel/errors";
import type { JsonObject } from "../services/shared/kernel/json";
import { currencyDigits } from "../services/shared/kernel/money";

/** Reads the fields of a body one by one and keeps every failure, so that the caller hears of all at once. */
export interface FieldReader {
  /** A text that must be given; empty after a failure. */
  text(field: string): string;
  /** A currency that must be given. */
  currency(field: string): string;
  /** A text that may be absent. */
  optionalText(field: string): string | undefined;
  /** True or false, or undefined when it is absent. */
  optionalFlag(field: string): boolean | undefined;
  /** Keeps a failure of `field` unless `isGood`. */
  check(isGood: boolean, field: string, rule: string): void;
  /** Throws INVALID_ARGUMENT with what was kept. */
  finish(): void;
  /** The same with what the service behind finds, too: for calls that change nothing, which may be made with what is wrong. */
  finishWith<T>(read: () => Promise<T>): Promise<T>;
}

export function readFields(body: JsonObject): FieldReader {
  const violations: FieldViolation[] = [];
  const check = (isGood: boolean, field: string, rule: string): void => {
    const isKnown = violations.some((violation) => violation.field === field);
    if (!isGood && !isKnown) violations.push({ field, message: rule });
  };
  const textOf = (field: string): string => {
    const value = body[field];
    const text = typeof value === "string" ? value : "";
    check(text !== "", field, "is required and must be a string");
    return text;
  };
  return {
    check,
    text: textOf,
    currency(field) {
      const code = textOf(field);
      check(currencyDigits(code) !== undefined, field, "must be an ISO 4217 currency, three capital letters");
      return code;
    },
    optionalText(field) {
      const value = body[field];
      check(value === undefined || typeof value === "string", field, "must be a string");
      return typeof value === "string" ? value : undefined;
    },
    optionalFlag(field) {
      const value = body[field];
      check(value === undefined || typeof value === "boolean", field, "must be true or false");
      return typeof value === "boolean" ? value : undefined;
    },
    finish() {
      if (violations.length > 0) throw invalid(violations);
    },
    async finishWith(read) {
      try {
        const found = await read();
        if (violations.length === 0) return found;
      } catch (error) {
        if (violations.length === 0) throw error;
        if (hasReason(error, "INVALID_ARGUMENT"))
          for (const { field, message } of error.violations) check(false, field, message);
      }
      throw invalid(violations);
    },
  };
}
