/**
 * What an id that a caller chooses may be. `.` and `..` are none: they are steps of a path to everything that normalises
 * addresses, so nothing that is named so could be looked up.
 */
const externalId = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,255}$/;

export const externalIdRule =
  "must be 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-', and not '.' or '..'";

export const isExternalId = (value: unknown): value is string => typeof value === "string" && externalId.test(value);

/** The same rule in the keywords of JSON Schema, without the look-ahead that not every evaluator has. */
export const externalIdSchema = {
  type: "string",
  pattern: "^(?:\\.*[A-Za-z0-9_:-][A-Za-z0-9._:-]*|\\.{3,})$",
  maxLength: 255,
} as const;
