import { readCallerText } from "../../shared/kernel/caller-text";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";

/** Evaluates a check field by field and keeps the first failure of each. Fields are named as in the REST API. */
export interface CheckFields {
  /** A text of 1 to 255 characters that is not blank. */
  text(field: string, value: string): void;
  /** The same, but the text may be empty. */
  optionalText(field: string, value: string): void;
  check(isGood: boolean, field: string, message: string): void;
  violations: readonly FieldViolation[];
}

const maxLength = 255;

export function evaluateFields(): CheckFields {
  const violations: FieldViolation[] = [];
  const check = (isGood: boolean, field: string, message: string): void => {
    const isKnown = violations.some((violation) => violation.field === field);
    if (!isGood && !isKnown) violations.push({ field, message });
  };
  const optionalText = (field: string, value: string): void => {
    check(value.length <= maxLength, field, `must be at most ${maxLength} characters`);
    const read = readCallerText(value, field);
    if ("problem" in read) check(false, field, read.problem);
  };
  return {
    violations,
    check,
    optionalText,
    text(field, value) {
      check(value !== "", field, "is required");
      check(value.trim() !== "", field, "must be a string that is not empty");
      optionalText(field, value);
    },
  };
}

/** Throws INVALID_ARGUMENT with every violation, if there is any. */
export function requireNone(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) throw invalid(violations);
}
