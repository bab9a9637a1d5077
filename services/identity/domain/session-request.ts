import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";
import type { SessionFacts } from "./session";

/** What a caller asks for. */
export interface SessionRequest {
  facts: Omit<SessionFacts, "url">;
  personId: string | undefined;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const documentType = /^[A-Z][A-Z_]{1,63}$/;
const anyDocument = ["PASSPORT"];
const maxDocumentTypes = 10;

const rules: Readonly<Record<string, { pattern: RegExp; says: string }>> = {
  userRef: { pattern: /^[^\p{Cc}]{1,255}$/u, says: "must be text of 1 to 255 characters" },
  type: { pattern: /^[A-Za-z][\w-]{0,63}$/, says: "must be a word of at most 64 letters, digits, _ and -" },
  countryCode: { pattern: /^[A-Z]{2,3}$/, says: "must be an ISO 3166-1 code" },
  personId: { pattern: uuid, says: "must be the id of a person" },
  redirectUrl: { pattern: /^https:\/\/[^\s]{1,2040}$/, says: "must be an https URL" },
};

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the body of a new session; without document types a passport is asked for. Throws INVALID_ARGUMENT. */
export function parseSessionRequest(body: JsonObject): SessionRequest {
  const violations: FieldViolation[] = [];
  const text = (field: string): string | undefined => {
    const value = body[field];
    const rule = rules[field];
    if (value === undefined) return undefined;
    if (typeof value === "string" && rule?.pattern.test(value)) return value;
    violations.push({ field, message: rule?.says ?? "" });
    return undefined;
  };
  const userRef = text("userRef") ?? "";
  if (body["userRef"] === undefined) violations.push({ field: "userRef", message: "is required" });
  const { metadata } = body;
  if (metadata !== undefined && !isObject(metadata)) {
    violations.push({ field: "metadata", message: "must be an object" });
  }
  const optional = {
    type: text("type"),
    countryCode: text("countryCode"),
    redirectUrl: text("redirectUrl"),
    metadata: metadata !== undefined && isObject(metadata) ? metadata : undefined,
  };
  const documentTypes = documentTypesOf(body["documentTypes"], violations);
  const personId = text("personId")?.toLowerCase();
  if (violations.length > 0) throw invalid(violations);
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { facts: { userRef, documentTypes, ...given }, personId };
}

function documentTypesOf(value: JsonValue | undefined, violations: FieldViolation[]): readonly string[] {
  if (value === undefined) return anyDocument;
  const types = Array.isArray(value) ? value.filter((one) => typeof one === "string" && documentType.test(one)) : [];
  const isGood = Array.isArray(value) && types.length === value.length && types.length > 0;
  if (!isGood || types.length > maxDocumentTypes) {
    const message = `must be a list of 1 to ${maxDocumentTypes} kinds of documents such as PASSPORT`;
    violations.push({ field: "documentTypes", message });
  }
  return types.map(String);
}

/** Reads the body of a verification: the id of a session or of a document. Throws INVALID_ARGUMENT. */
export function parseVerificationRequest(body: JsonObject): { subjectId: string; checks: readonly string[] } {
  const { sessionId: given = body["documentId"], checks = [] } = body;
  const subjectId = typeof given === "string" ? given : "";
  const violations: FieldViolation[] = [];
  if (subjectId === "") {
    violations.push({ field: "sessionId", message: "is required, or documentId" });
  }
  const words = Array.isArray(checks) ? checks.filter((one) => typeof one === "string" && one.length <= 64) : undefined;
  if (!Array.isArray(checks) || words?.length !== checks.length) {
    violations.push({ field: "checks", message: "must be a list of names" });
  }
  if (violations.length > 0) throw invalid(violations);
  return { subjectId, checks: (words ?? []).map(String) };
}
