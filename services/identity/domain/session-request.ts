import { readCallerText } from "../../shared/kernel/caller-text";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { SessionFacts } from "./session";

/** A caller's request for a session. */
export interface SessionRequest {
  facts: Omit<SessionFacts, "url">;
  personId: string | undefined;
}

/** The same as a caller gives it, unchecked. An undefined field was not given. */
export interface GivenSession {
  userRef?: string | undefined;
  type?: string | undefined;
  documentTypes: readonly string[];
  countryCode?: string | undefined;
  personId?: string | undefined;
  redirectUrl?: string | undefined;
  /** A JSON object, as text. */
  metadata?: string | undefined;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const documentType = /^[A-Z][A-Z_]{1,63}$/;
const anyDocument = ["PASSPORT"];
const maxDocumentTypes = 10;

const rules = {
  userRef: { pattern: /^[^\p{Cc}]{1,255}$/u, says: "must be text of 1 to 255 characters" },
  type: { pattern: /^[A-Za-z][\w-]{0,63}$/, says: "must be a word of at most 64 letters, digits, _ and -" },
  countryCode: { pattern: /^[A-Z]{2,3}$/, says: "must be an ISO 3166-1 code" },
  personId: { pattern: uuid, says: "must be the id of a person" },
  redirectUrl: {
    pattern: /^https:\/\/[^\s/?#@\\]{1,255}(?:[/?#]\S{0,1784})?$/,
    says: "must be an https URL without user info",
  },
} as const;

/** Reads a new session; without document types it asks for a passport. Throws INVALID_ARGUMENT with every malformed field. */
export function readSession(given: GivenSession): SessionRequest {
  const violations: FieldViolation[] = [];
  const text = (field: keyof typeof rules): string | undefined => {
    const value = given[field];
    if (value === undefined) return undefined;
    const { pattern, says } = rules[field];
    const read = readCallerText(value, field);
    if ("value" in read && pattern.test(read.value)) return read.value;
    violations.push({ field, message: "problem" in read ? read.problem : says });
    return undefined;
  };
  const userRef = text("userRef") ?? "";
  if (given.userRef === undefined) violations.push({ field: "userRef", message: "is required" });
  const optional = {
    type: text("type"),
    countryCode: text("countryCode"),
    redirectUrl: text("redirectUrl"),
    metadata: given.metadata,
  };
  const documentTypes = given.documentTypes.length === 0 ? anyDocument : given.documentTypes;
  if (documentTypes.length > maxDocumentTypes || !documentTypes.every((type) => documentType.test(type))) {
    const message = `must be a list of 1 to ${maxDocumentTypes} kinds of documents such as PASSPORT`;
    violations.push({ field: "documentTypes", message });
  }
  const personId = text("personId")?.toLowerCase();
  if (violations.length > 0) throw invalid(violations);
  const said = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { facts: { userRef, documentTypes, ...said }, personId };
}

/** The subject of a verification, and what to verify. */
export interface VerificationRequest {
  /** Id of a session or document. */
  subjectId: string;
  checks: readonly string[];
}

const longestCheck = 64;

/** Returns a verification in the form in which it is stored. Throws INVALID_ARGUMENT with every malformed field. */
export function readVerification({ subjectId, checks }: VerificationRequest): VerificationRequest {
  const violations: FieldViolation[] = [];
  if (subjectId === "") violations.push({ field: "sessionId", message: "is required, or documentId" });
  const names = checks.flatMap((check, index) => {
    const read = readCallerText(check, `checks.${index}`);
    return "value" in read && read.value.length <= longestCheck ? [read.value] : [];
  });
  if (names.length < checks.length) violations.push({ field: "checks", message: "must be a list of names" });
  if (violations.length > 0) throw invalid(violations);
  return { subjectId, checks: names };
}
