import { type FieldViolation, invalid } from "../../shared/errors";
import type { JsonObject } from "../../shared/json";
import { at } from "./payload-shape";

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
const cardNumbers =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|5\d\d)\d{12}|62\d{14,17})$/;

export function readCheck(body: JsonObject): CheckFields {
  const violations: FieldViolation[] = [];
  const check = (isGood: boolean, field: string, message: string): void => {
    const isKnown = violations.some((violation) => violation.field === field);
    if (!isGood && !isKnown) violations.push({ field, message });
  };
  const checkText = (field: string, value: string): void => {
    check(value.length <= maxLength, field, `must be at most ${maxLength} characters`);
    check(!holdsCardNumber(value), field, "must not hold a card number");
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

/** True for text with a run of digits that is a card number: such text is refused, so that it is never stored. */
export function holdsCardNumber(text: string): boolean {
  const runs = text.match(/(?<![\d+])\d(?:[ -]?\d){12,18}(?!\d)/g) ?? [];
  return runs
    .map((run) => run.replaceAll(/[ -]/g, ""))
    .some((digits) => cardNumbers.test(digits) && passesLuhn(digits));
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number.parseInt(digit, 10) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
