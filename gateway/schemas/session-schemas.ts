import { arrayOf, enumSchema, instantSchema, objectSchema, textSchema } from "./document-schema";

const optionalProperties = {
  type: textSchema("Kind of verification, in the caller's words."),
  documentTypes: arrayOf(textSchema("Kind of document, such as PASSPORT or DRIVERS_LICENSE.")),
  countryCode: textSchema("ISO 3166-1 code of the document's country."),
  personId: textSchema("Id of a person that the session is about.", { format: "uuid" }),
  redirectUrl: textSchema("Where the page leads back to.", { format: "uri" }),
  metadata: { type: "object", description: "Kept and shown, never looked at." },
};

const userRef = textSchema("Who the session is about, in the caller's words.", { maxLength: 255 });

export const sessionRequestSchema = objectSchema({ userRef, ...optionalProperties }, Object.keys(optionalProperties));

const status = enumSchema("What has become of the document; PENDING until there is more to say.", [
  "PENDING",
  "VERIFIED",
  "REJECTED",
  "SUPERSEDED",
  "FAILED",
  "ERRORED",
  "EXPIRED",
]);

const decision = objectSchema(
  {
    status: enumSchema("The last decision.", ["VERIFIED", "REJECTED"]),
    reasonCode: textSchema("Why, for programs."),
    decidedAt: instantSchema("When it was decided."),
  },
  ["reasonCode"],
);

export const sessionSchema = objectSchema(
  {
    sessionId: textSchema("Id of the session.", { format: "uuid" }),
    userRef,
    status,
    url: textSchema("The page on which the person shows the document.", { format: "uri" }),
    attemptsRemaining: { type: "integer", minimum: 0, maximum: 3, description: "How often the person may still try." },
    createdAt: instantSchema("When it was opened."),
    expiresAt: instantSchema("When the page closes."),
    decision: { oneOf: [decision, { type: "null" }] },
    ...optionalProperties,
  },
  Object.keys(optionalProperties).filter((name) => name !== "documentTypes"),
);

const verificationRequest = {
  sessionId: textSchema("The session to ask about.", { format: "uuid" }),
  documentId: textSchema("The same, under its other name.", { format: "uuid" }),
  checks: arrayOf(textSchema("What to look at; kept with the verification.")),
};

export const verificationRequestSchema = {
  ...objectSchema(verificationRequest, Object.keys(verificationRequest)),
  anyOf: [{ required: ["sessionId"] }, { required: ["documentId"] }],
};

export const verificationSchema = objectSchema(
  {
    verificationId: textSchema("Id of the verification.", { format: "uuid" }),
    status,
    sessionId: textSchema("The session that is asked about.", { format: "uuid" }),
    documentId: textSchema("The uploaded document that is asked about, in place of a session.", { format: "uuid" }),
  },
  ["sessionId", "documentId"],
);
