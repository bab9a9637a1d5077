import { fileForm } from "./file-form";
import { answer, answerWith, flag, instant, integer, listOf, oneOf, orNull, request, text, words } from "./parts";
import type { Schema } from "./schema";

/** Contracts of the files that prove the identity of persons and companies. */

/** Largest file, bytes; the identity service's own limit. */
const maxDocumentBytes = 10 * 1024 * 1024;

/**
 * Refuses a number that consists only of blanks and ASCII signs; the identity service checks that other signs have a letter or digit beside
 * them.
 */
const documentNumber = {
  type: "string",
  description: "Number of the document, with a letter or a digit. One that differs from the last said replaces it.",
  pattern: "^[ -/:-@\\[-`{-~]*[^\\x00-/:-@\\[-`{-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$",
  maxLength: 64,
  rule: "must be text of 1 to 64 characters",
} as const satisfies Schema;

export const documentUpload = fileForm({
  title: "DocumentUpload",
  description: "A file that proves an identity.",
  file: {
    name: "file",
    description: "The file: JPEG, PNG or PDF by its content, and what its content-type says, if it says anything.",
    // Some callers write the second for the first.
    mediaTypes: ["image/jpeg", "image/jpg", "image/png", "application/pdf"],
    minBytes: 1,
    maxBytes: maxDocumentBytes,
  },
  texts: {
    type: "object",
    description: "What is said of the file.",
    properties: { documentNumber },
    additionalProperties: false,
  },
});

const decisionMembers = {
  status: oneOf("The last decision.", ["VERIFIED", "REJECTED"]),
  decidedAt: instant("When it was decided."),
} as const;
const reasonCode = text("Why, for programs.");
const decision = {
  type: ["object", "null"],
  description: "The last decision; null before the first.",
  properties: { ...decisionMembers, reasonCode },
  required: ["status", "decidedAt"],
} as const satisfies Schema;

const members = {
  id: { ...text("Id of the upload; its events name it."), format: "uuid" },
  entityId: { ...text("The person or company that it belongs to."), format: "uuid" },
  documentType: { ...text("Kind of document."), examples: ["PASSPORT", "DRIVERS_LICENSE", "PROOF_OF_FUNDS"] },
  verificationStatus: oneOf("What has become of it; PENDING until there is more to say.", [
    "PENDING",
    "VERIFIED",
    "REJECTED",
    "SUPERSEDED",
    "ERRORED",
  ]),
  mediaType: { ...text("By content."), examples: ["image/jpeg", "image/png", "application/pdf"] },
  size: { ...integer("Bytes."), minimum: 1, maximum: maxDocumentBytes },
  sha256: { ...text("SHA-256 of the content, hex."), pattern: "^[0-9a-f]{64}$" },
  createdAt: instant("When it was uploaded."),
  updatedAt: instant("When its status last changed."),
} as const;

export const document = answerWith(
  "Document",
  "A file and what was decided of it.",
  { ...members, decision },
  { documentNumber },
);

export const reviewedDocument = answerWith(
  "ReviewedDocument",
  "A file, what was decided of it, by whom and why.",
  {
    ...members,
    decision: {
      ...decision,
      properties: {
        ...decision.properties,
        author: text("Operator that decided; absent when document reading did."),
        note: text("What the operator wrote."),
      },
    },
  },
  { documentNumber },
);

const next = orNull(text("Ask for the next page with it as `after`; null on the last one."));

export const documentPage = answer("DocumentPage", "A page of documents.", {
  documents: listOf("The newest first.", document),
  next,
});

export const reviewedDocumentPage = answer("ReviewedDocumentPage", "A page of documents.", {
  documents: listOf("The oldest first.", reviewedDocument),
  next,
});

/** The query of lists of documents. */
export const documentQuery = {
  type: "object",
  description: "Which page is meant.",
  properties: {
    limit: { ...integer("Longest page."), minimum: 1, maximum: 200, default: 25 },
    after: text("`next` of the page before."),
  },
} as const satisfies Schema;

export const documentDecision = request("DocumentDecision", "What is decided of a document.", {
  accept: flag("True: VERIFIED; false: REJECTED."),
  note: { ...words("Why."), pattern: "[^\\s]", maxLength: 1_000, rule: "must be text of 1 to 1000 characters" },
});

/** The file itself. */
export const content = {
  type: "string",
  description: "The file, as it was given.",
  contentMediaType: "application/octet-stream",
} as const satisfies Schema;
