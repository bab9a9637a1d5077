import { cardRule, holdsCardNumber } from "../../shared/kernel/card-number";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";

/** The value at a dotted path, or undefined. Only own properties count. */
function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split(".").reduce<JsonValue | undefined>((node, segment) => {
    if (node === null || typeof node !== "object") return undefined;
    if (Array.isArray(node)) return node[Number.parseInt(segment, 10)];
    return Object.hasOwn(node, segment) ? node[segment] : undefined;
  }, value);
}

/** Reads a nested body field by field, by dotted paths, and keeps every failure. */
export interface CheckFields {
  /** A text of 1 to 255 characters. */
  text(field: string): string;
  /** The same, or nothing; an empty text is good too, and is nothing. */
  optionalText(field: string): string | undefined;
  /** A text that matches. */
  matching(field: string, rule: RegExp, message: string): string;
  check(isGood: boolean, field: string, message: string): void;
  /** Throws INVALID_ARGUMENT with what was kept. */
  finish(): void;
}

const maxLength = 255;
export function readCheck(body: JsonObject): CheckFields {
  const violations: FieldViolation[] = [];
  const check = (isGood: boolean, field: string, message: string): void => {
    const isKnown = violations.some((violation) => violation.field === field);
    if (!isGood && !isKnown) violations.push({ field, message });
  };
  const checkText = (field: string, value: string): void => {
    check(value.length <= maxLength, field, `must be at most ${maxLength} characters`);
    check(!holdsCardNumber(value), field, cardRule);
  };
  const text = (field: string): string => {
    const value = at(body, field);
    const found = typeof value === "string" ? value : "";
    check(value !== undefined, field, "is required");
    check(found.trim() !== "", field, "must be a string that is not empty");
    checkText(field, found);
    return found;
  };
  return {
    text,
    check,
    optionalText(field) {
      const value = at(body, field);
      if (value === undefined || value === "") return undefined;
      check(typeof value === "string", field, "must be a string");
      if (typeof value !== "string") return undefined;
      checkText(field, value);
      return value;
    },
    matching(field, rule, message) {
      const found = text(field);
      check(rule.test(found), field, message);
      return found;
    },
    finish() {
      if (violations.length > 0) throw invalid(violations);
    },
  };
}
