import { DomainError, type FieldViolation, invalid } from "../../services/shared/kernel/errors";
import type { ObjectSchema, Schema } from "./schema";

/** Fields that the caller of a route may name: the members of its query, body and path. */
export interface RequestNames {
  query?: ObjectSchema | undefined;
  body?: Schema | undefined;
  params?: readonly string[];
  /** The upstream service's names for fields that the route names differently; both dotted. */
  aliases?: Readonly<Record<string, string>> | undefined;
}

/** The services' names for parameters of a path that are named differently in their messages. */
const namesBehind: Readonly<Record<string, readonly string[]>> = {
  id: ["participantId", "transactionId", "paymentId"],
  personId: ["participantId"],
  companyId: ["participantId"],
  document: ["documentId", "documentType"],
  externalId: ["externalPaymentId"],
  externalTransferId: ["externalId", "id"],
  transactionId: ["id"],
  fxId: ["quoteId"],
  webhookId: ["subscriptionId"],
  deliveryId: ["eventId"],
};

/** Returns the caller's name for a field that a service has named. */
export type InRequestWords = (field: string) => string;

/** Names that are not members: the calling agent, a header that makes a request conditional, and a whole part. */
const wholes = ["body", "query", "path", "agent", "If-Match"];

/**
 * Makes the translation of refused fields for a route. A service names fields of its own message, where a field may be nested deeper
 * (`settleStep.amount`) or have another name than in the request. The result is always a field that the route's schemas name: the field
 * itself, its alias, the same field without outer or inner names, or the whole body or query.
 */
export function inRequestWords({ query, body, params = [], aliases = {} }: RequestNames): InRequestWords {
  const isKnown = (field: string): boolean =>
    wholes.includes(field) || params.includes(field) || [query, body].some((part) => has(part, field.split(".")));
  const ofPath = params.flatMap((param) => (namesBehind[param] ?? []).map((name) => [name, param] as const));
  const all = { ...Object.fromEntries(ofPath), ...aliases };
  const longestFirst = Object.entries(all).toSorted(([a], [b]) => b.length - a.length);
  const renamed = (field: string): string => {
    for (const [theirs, own] of longestFirst) {
      if (field === theirs) return own;
      if (field.startsWith(`${theirs}.`)) return own + field.slice(theirs.length);
    }
    return field;
  };
  const whole = body !== undefined ? "body" : query !== undefined ? "query" : "path";
  return (field) => {
    if (isKnown(field)) return field;
    for (let rest = field; rest !== ""; rest = rest.split(".").slice(1).join(".")) {
      const own = renamed(rest);
      const [first = ""] = own.split(".");
      if (isKnown(first)) return longestKnown(own, isKnown);
    }
    return whole;
  };
}

/** The same for a request that is already refused: members that no schema knows keep the names that the caller has sent. */
export function knowingMore(words: InRequestWords, violations: readonly FieldViolation[]): InRequestWords {
  const named = new Set(violations.map(({ field }) => field));
  return (field) => (named.has(field) ? field : words(field));
}

/** Returns the field, or the nearest known object around it; the first part of its name is always known. */
function longestKnown(field: string, isKnown: (field: string) => boolean): string {
  if (isKnown(field)) return field;
  return longestKnown(field.slice(0, field.lastIndexOf(".")), isKnown);
}

/** True if a schema, or one of its variants, names the field at a path. Members with names that the caller chooses are all known. */
function has(schema: Schema | undefined, [name, ...rest]: readonly string[]): boolean {
  if (schema === undefined) return false;
  if (name === undefined) return true;
  if ("oneOf" in schema) return schema.oneOf.some((variant) => has(variant, [name, ...rest]));
  if ("items" in schema) return /^\d+$/.test(name) && has(schema.items, rest);
  if (schema.type === undefined) return true;
  if (!("properties" in schema || "additionalProperties" in schema)) return isOpen(schema);
  const { properties = {}, additionalProperties } = schema;
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (member !== undefined) return has(member, rest);
  return typeof additionalProperties === "object" && has(additionalProperties, rest);
}

/** True for an object with members that the caller names. */
const isOpen = ({ type }: Schema): boolean => [type].flat().includes("object");

const ownRefusals = new WeakSet<DomainError>();

/** Marks a refusal that already uses the caller's names: the content of a form is read only while its handler runs. */
export function namedByCaller(error: unknown): unknown {
  if (error instanceof DomainError) ownRefusals.add(error);
  return error;
}

/** Runs work that may be refused; a refusal names the fields of the request. */
export async function refusedIn<T>(words: InRequestWords, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError && !ownRefusals.has(error) ? translated(error, words) : error;
  }
}

function translated(refusal: DomainError, words: InRequestWords): DomainError {
  const { reason, message, details } = refusal;
  const violations = inWords(refusal.violations, words);
  if (reason === "INVALID_ARGUMENT" && violations.length > 0) return invalid(violations);
  const { fields } = details;
  if (violations.length === 0 && fields === undefined) return refusal;
  const named = fields === undefined ? details : { fields: [...new Set(fields.map(words))] };
  return new DomainError(reason, message, { violations, details: named, cause: refusal });
}

/** The same violations, each field once for each rule that it breaks. */
function inWords(violations: readonly FieldViolation[], words: InRequestWords): readonly FieldViolation[] {
  const named = violations.map(({ field, message }) => ({ field: words(field), message }));
  return [...new Map(named.map((violation) => [`${violation.field} ${violation.message}`, violation])).values()];
}
