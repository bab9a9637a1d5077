import type { Response } from "express";

/** One field of a request that breaks a rule. */
export interface Problem {
  field: string;
  message: string;
}

/** The fields of a parsed body; a body that is not an object has none. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return body === null || typeof body !== "object" || Array.isArray(body) ? {} : { ...body };
}

/** The value if it is text, otherwise empty text. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a body field by field and collects every problem. */
export interface Fields {
  value: Readonly<Record<string, unknown>>;
  problems: Problem[];
  /** The text of a field, which must match; an absent field counts as empty text. */
  field(name: string, rule: RegExp, message: string): string;
  check(isGood: boolean, field: string, message: string): void;
}

export function fieldsOf(body: unknown): Fields {
  const value = asObject(body);
  const problems: Problem[] = [];
  const check = (isGood: boolean, field: string, message: string): void => {
    if (!isGood) problems.push({ field, message });
  };
  return {
    value,
    problems,
    check,
    field(name, rule, message) {
      const found = text(value[name]);
      check(rule.test(found), name, message);
      return found;
    },
  };
}

/** Answers 400 with every problem, and the reference of the call if it has one; returns true if there was a problem. */
export function answerProblems(
  res: Response,
  { problems, value }: Pick<Fields, "problems"> & Partial<Fields>,
): boolean {
  const reference = text(value?.["reference"]) || undefined;
  if (problems.length > 0) res.status(400).json({ error: "invalid_request", reference, fields: problems });
  return problems.length > 0;
}
