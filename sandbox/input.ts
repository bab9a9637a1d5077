/** One field of a request that breaks a rule. */
export interface Problem {
  field: string;
  message: string;
}

/** The fields of a parsed body; a body that is no object has none. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return body === null || typeof body !== "object" || Array.isArray(body) ? {} : { ...body };
}

/** The value if it is text, else the empty text. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
