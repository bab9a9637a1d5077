import { answerWith, instant, listOf, oneOf, requestWith, text } from "./parts";
import type { Schema } from "./schema";

/** Contracts of KYC sessions and verifications. */

const userRef = {
  type: "string",
  description: "Who the session is about, in the caller's words.",
  pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$",
  maxLength: 255,
  rule: "must be text of 1 to 255 characters",
} as const satisfies Schema;

const documentTypes = {
  type: "array",
  description:
    "Kinds of documents that the person may show, 2 to 64 capital letters and underscores each; a passport without it.",
  minItems: 1,
  maxItems: 10,
  rule: "must be a list of 1 to 10 kinds of documents such as PASSPORT",
  items: { type: "string", description: "Kind of document.", examples: ["PASSPORT", "DRIVERS_LICENSE"] },
} as const satisfies Schema;

const optionalMembers = {
  type: {
    type: "string",
    description: "Kind of verification, in the caller's words.",
    pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
    rule: "must be a word of at most 64 letters, digits, _ and -",
  },
  countryCode: {
    type: "string",
    description: "ISO 3166-1 code of the document's country.",
    pattern: "^[A-Z]{2,3}$",
    rule: "must be an ISO 3166-1 code",
  },
  personId: {
    type: "string",
    description: "Id of a person that the session is about.",
    pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
    rule: "must be the id of a person",
  },
  redirectUrl: {
    type: "string",
    description: "Where the page leads back to.",
    pattern: "^https://[^\\s/?#@\\\\]{1,255}(?:[/?#]\\S{0,1784})?$",
    rule: "must be an https URL without user info",
  },
  metadata: { type: "object", description: "Kept and shown, never looked at.", rule: "must be an object" },
} as const satisfies Record<string, Schema>;

export const sessionRequest = requestWith(
  "SessionRequest",
  "A session to open.",
  { userRef },
  {
    documentTypes,
    ...optionalMembers,
  },
);

/** The state of a presented credential. */
const verificationStatus = oneOf("What has become of the document; PENDING until there is more to say.", [
  "PENDING",
  "VERIFIED",
  "REJECTED",
  "SUPERSEDED",
  "FAILED",
  "ERRORED",
  "EXPIRED",
]);

const decision = {
  type: ["object", "null"],
  description: "The last decision; null before the first.",
  properties: {
    status: oneOf("What was decided.", ["VERIFIED", "REJECTED"]),
    reasonCode: text("Why, for programs."),
    decidedAt: instant("When it was decided."),
  },
  required: ["status", "decidedAt"],
} as const satisfies Schema;

export const session = answerWith(
  "Session",
  "A session, in which a person shows an identity document.",
  {
    sessionId: { type: "string", description: "Id of the session.", format: "uuid" },
    userRef,
    status: verificationStatus,
    url: { type: "string", description: "The page on which the person shows the document.", format: "uri" },
    attemptsRemaining: { type: "integer", description: "How often the person may still try.", minimum: 0, maximum: 3 },
    createdAt: instant("When it was opened."),
    expiresAt: instant("When the page closes."),
    decision,
    documentTypes,
  },
  optionalMembers,
);

const subjectId = <const D extends string>(description: D) =>
  ({
    type: "string",
    description,
    minLength: 1,
    maxLength: 255,
    rule: "must be an id",
  }) as const satisfies Schema;
const sessionId = subjectId("The session to ask about; `documentId` names an upload instead.");
const documentId = subjectId("The uploaded document to ask about. Either name finds both.");
const checks = listOf("What to look at; kept with the verification.", {
  type: "string",
  description: "What to look at, in the caller's words.",
  maxLength: 64,
  rule: "must be a name of at most 64 characters",
} as const);

export const verificationRequest = {
  title: "VerificationRequest",
  type: "object",
  description: "What to ask about: with `documentId` a DocumentVerification, else a SessionVerification.",
  chosenBy: ["documentId"],
  oneOf: [
    requestWith("SessionVerification", "A session to ask about.", { sessionId }, { checks }),
    requestWith("DocumentVerification", "An upload to ask about.", { documentId }, { sessionId, checks }),
  ],
} as const satisfies Schema;

export const verification = answerWith(
  "Verification",
  "A question what has become of a session or an upload.",
  {
    verificationId: { type: "string", description: "Id of the verification.", format: "uuid" },
    status: verificationStatus,
  },
  {
    sessionId: text("The session that is asked about."),
    documentId: text("The uploaded document that is asked about, in place of a session."),
  },
);
