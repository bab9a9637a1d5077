/**
 * The form of an id that a caller chooses. `.` and `..` are excluded: software that normalises URLs treats them as path
 * steps, so an object with such an id could not be looked up.
 */
const externalId = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,255}$/;

export const externalIdRule =
  "must be 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-', and not '.' or '..'";

export const isExternalId = (value: unknown): value is string => typeof value === "string" && externalId.test(value);

/** The same rule in JSON Schema keywords, without look-ahead, which not every validator supports. */
export const externalIdSchema = {
  type: "string",
  pattern: "^(?:\\.*[A-Za-z0-9_:-][A-Za-z0-9._:-]*|\\.{3,})$",
  maxLength: 255,
} as const;
