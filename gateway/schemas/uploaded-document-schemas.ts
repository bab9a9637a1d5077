import {
  arrayOf,
  enumSchema,
  instantSchema,
  integerSchema,
  nullable,
  objectSchema,
  textSchema,
} from "./document-schema";

/** Largest file, bytes; the identity service's own limit. */
export const maxDocumentBytes = 10 * 1024 * 1024;

const documentNumber = textSchema("Number of the document. One that differs from the last said replaces it.", {
  maxLength: 64,
});

export const uploadSchema = objectSchema(
  {
    file: textSchema("The file: JPEG, PNG or PDF by its content, at most 10 MiB.", { contentMediaType: "image/png" }),
    documentNumber,
  },
  ["documentNumber"],
);

const decision = objectSchema(
  {
    status: enumSchema("The last decision.", ["VERIFIED", "REJECTED"]),
    reasonCode: textSchema("Why, for programs."),
    decidedAt: instantSchema("When it was decided."),
  },
  ["reasonCode"],
);

export const uploadedDocumentSchema = objectSchema(
  {
    id: textSchema("Id of the upload; its events name it.", { format: "uuid" }),
    entityId: textSchema("The person or company that it belongs to.", { format: "uuid" }),
    documentType: textSchema("Kind of document.", { examples: ["PASSPORT", "DRIVERS_LICENSE", "PROOF_OF_FUNDS"] }),
    verificationStatus: enumSchema("What has become of it; PENDING until there is more to say.", [
      "PENDING",
      "VERIFIED",
      "REJECTED",
      "SUPERSEDED",
      "ERRORED",
    ]),
    mediaType: enumSchema("By content.", ["image/jpeg", "image/png", "application/pdf"]),
    size: integerSchema("Bytes.", { minimum: 1, maximum: maxDocumentBytes }),
    sha256: textSchema("SHA-256 of the content, hex.", { pattern: "^[0-9a-f]{64}$" }),
    documentNumber,
    decision: { oneOf: [decision, { type: "null" }] },
    createdAt: instantSchema("When it was uploaded."),
    updatedAt: instantSchema("When its status last changed."),
  },
  ["documentNumber"],
);

export const documentListSchema = objectSchema({
  documents: arrayOf(uploadedDocumentSchema),
  next: nullable(textSchema("Ask for the next page with it as `after`; null on the last one.")),
});
