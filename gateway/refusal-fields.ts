import type { DomainError } from "../services/shared/kernel/errors";
import { publicErrors } from "./render-error";

const mostFields = 10;

/**
 * Returns what the log line of a refused request says about the refusal: its code and the failed fields. Callers choose names of members,
 * so anything but a plain word or small number is left out.
 */
export function refusalFields(refusal: DomainError | undefined): { code?: string; fields?: string[] } {
  if (refusal === undefined) return {};
  const { reason, violations } = refusal;
  const fields = violations.slice(0, mostFields).map(({ field }) => field.split(".").map(plain).join("."));
  return { code: publicErrors[reason].code, ...(fields.length > 0 && { fields }) };
}

const plain = (segment: string): string =>
  /^(?:[A-Za-z]{1,40}(?:-[A-Za-z]{1,20})?|\d{1,3})$/.test(segment) ? segment : "*";
