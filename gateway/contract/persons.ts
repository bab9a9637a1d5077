import {
  alpha2,
  answer,
  answerWith,
  closedQuery,
  described,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  text,
} from "./parts";
import type { Schema } from "./schema";

/** Contracts of persons, companies and their missing details. */

/** A text of a given number of characters that are not all blank. */
const upTo = <const D extends string, const L extends number>(description: D, maxLength: L) =>
  ({
    type: "string",
    description,
    minLength: 1,
    maxLength,
    pattern: "\\S",
    rule: `must be text of 1 to ${maxLength} characters`,
  }) as const satisfies Schema;

const country = described(
  { ...alpha2, rule: "must be an ISO 3166-1 alpha-2 code, two capital letters" } as const,
  "ISO 3166-1 alpha-2.",
);

const addressMembers = {
  addressLine1: upTo("Street and number.", 140),
  addressLine2: {
    type: "string",
    description: "Second line.",
    maxLength: 140,
    rule: "must be text of at most 140 characters",
  },
  city: upTo("City.", 140),
  state: upTo("State, province or region.", 140),
  postalCode: upTo("Postal code.", 16),
  countryCode: country,
  phoneNumber: {
    type: "string",
    description: "Phone number.",
    pattern: "^\\+?[0-9 ().-]{5,31}$",
    rule: "must be a phone number",
  },
  emailAddress: {
    type: "string",
    description: "E-mail address.",
    minLength: 3,
    maxLength: 254,
    pattern: "^[^@\\s]+@[^@\\s]+$",
    rule: "must be an e-mail address",
  },
} as const satisfies Record<string, Schema>;

const address = {
  title: "PersonAddress",
  type: "object",
  description: "Where a person lives or a company has its seat, and how to reach it there.",
  properties: addressMembers,
  additionalProperties: false,
  rule: "must be an object",
} as const satisfies Schema;

const gender = oneOf("Of an individual.", ["M", "F"]);
const textMembers = {
  identificationType: {
    type: "string",
    description: "Kind of document.",
    pattern: "^[A-Z][A-Z_]{1,63}$",
    rule: "must be a kind of document such as PASSPORT",
    examples: ["NATIONAL_ID", "PASSPORT", "TAX_ID"],
  },
  identification: upTo("Number of the document.", 64),
  gender,
  firstName: upTo("Given name of an individual.", 140),
  lastName: upTo("Family name of an individual.", 140),
  companyName: upTo("Name of a business.", 140),
  birthDate: {
    type: "string",
    description: "Date of birth, YYYY-MM-DD.",
    format: "date",
    rule: "must be a day of the calendar, YYYY-MM-DD, and not in the future",
  },
  nationality: described(country, "Nationality, or the country of a company: ISO 3166-1 alpha-2."),
} as const satisfies Record<string, Schema>;

const anyType = oneOf("Kind of person.", ["INDIVIDUAL", "BUSINESS"]);
/** The type of a participant that exists as one kind only. */
const onlyType = <const T extends string>(only: T) =>
  ({
    type: "string",
    description: "Kind of person.",
    enum: [only],
    rule: `must be ${only} here`,
  }) as const satisfies Schema;
const individual = onlyType("INDIVIDUAL");
const business = onlyType("BUSINESS");

const relatedParties = {
  type: "array",
  description: "Who owns, directs, signs for and controls the company.",
  maxItems: 100,
  rule: "must be a list of at most 100",
  items: {
    title: "RelatedParty",
    type: "object",
    description: "Somebody who stands behind a company.",
    properties: {
      participantId: {
        type: "string",
        description: "Id of a person or company of the same tenant.",
        pattern: "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        rule: "must be the id of a person or company",
      },
      roles: {
        type: "array",
        description: "What it is to the company, each once.",
        minItems: 1,
        uniqueItems: true,
        rule: "must be a list of OWNER, DIRECTOR, SIGNATORY, CONTROLLER, each once",
        items: oneOf("OWNER has a share; SIGNATORY is a person; CONTROLLER decides without owning.", [
          "OWNER",
          "DIRECTOR",
          "SIGNATORY",
          "CONTROLLER",
        ]),
      },
      share: {
        type: "number",
        description: "Of owners alone: per cent of the company, above 0, with up to four decimals.",
        exclusiveMinimum: 0,
        maximum: 100,
        exactDecimal: "plain",
        rule: "must be above 0 and at most 100, with up to 4 decimals",
      },
    },
    required: ["participantId", "roles"],
    additionalProperties: false,
  },
} as const satisfies Schema;

/** A person or business as `POST /person` registers it. `GET /schema/person` says what its country asks for. */
export const personRequest = {
  title: "PersonRequest",
  type: "object",
  description: "A person or business to decide about.",
  properties: { type: anyType, ...textMembers, address },
  additionalProperties: false,
} as const satisfies Schema;

export const newPerson = {
  title: "NewPerson",
  type: "object",
  description: "A person to keep.",
  properties: { type: individual, ...textMembers, address },
  additionalProperties: false,
} as const satisfies Schema;

export const newCompany = {
  title: "NewCompany",
  type: "object",
  description: "A company to keep.",
  properties: { type: business, ...textMembers, address, relatedParties: orNull(relatedParties) },
  additionalProperties: false,
} as const satisfies Schema;

/** Members of a change (RFC 7396): one that is null is removed, one that is absent stays. */
const clearedTexts = {
  identificationType: orNull(textMembers.identificationType),
  identification: orNull(textMembers.identification),
  gender: orNull(textMembers.gender),
  firstName: orNull(textMembers.firstName),
  lastName: orNull(textMembers.lastName),
  companyName: orNull(textMembers.companyName),
  birthDate: orNull(textMembers.birthDate),
  nationality: orNull(textMembers.nationality),
} as const;

const addressChange = {
  type: ["object", "null"],
  description: "Parts of the address to change; null takes all of it away.",
  properties: {
    addressLine1: orNull(addressMembers.addressLine1),
    addressLine2: orNull(addressMembers.addressLine2),
    city: orNull(addressMembers.city),
    state: orNull(addressMembers.state),
    postalCode: orNull(addressMembers.postalCode),
    countryCode: orNull(addressMembers.countryCode),
    phoneNumber: orNull(addressMembers.phoneNumber),
    emailAddress: orNull(addressMembers.emailAddress),
  },
  additionalProperties: false,
  rule: "must be an object",
} as const satisfies Schema;

export const personChange = {
  title: "PersonChange",
  type: "object",
  description: "What of a person changes: a member that is null is taken away, one that is absent stays (RFC 7396).",
  properties: { type: orNull(individual), ...clearedTexts, address: addressChange },
  additionalProperties: false,
} as const satisfies Schema;

export const companyChange = {
  title: "CompanyChange",
  type: "object",
  description:
    "What of a company changes: a member that is null is taken away, one that is absent stays (RFC 7396). A list of related parties replaces the one before.",
  properties: {
    type: orNull(business),
    ...clearedTexts,
    address: addressChange,
    relatedParties: orNull(relatedParties),
  },
  additionalProperties: false,
} as const satisfies Schema;

const reasonCodes = listOf(
  "Why it is not approved, for programs.",
  oneOf("A reason.", ["REQUIREMENT_NOT_MET", "SCREENING_HIT"]),
);

const decisionMembers = {
  id: { type: "string", description: "Id of the record; absent when nothing was kept.", format: "uuid" },
  type: anyType,
  firstName: text("Given name of an individual."),
  lastName: text("Family name of an individual."),
  message: text("Why it was rejected."),
  reasonCodes,
} as const satisfies Record<string, Schema>;
const decided = { status: oneOf("What was decided.", ["APPROVED", "REJECTED"]) } as const;

export const personDecision = answerWith("PersonDecision", "What was decided of a person.", decided, decisionMembers);

export const personValidation = answerWith("PersonValidation", "What would be decided of a person.", decided, {
  ...decisionMembers,
  advice: listOf(
    "Numbers that look mistyped; absent when none does. They are no reason to reject a person.",
    answer(
      "PersonAdvice",
      "A number whose checksum does not fit, or a postal code that looks like none of its country.",
      {
        field: text("Dotted path of the number."),
        message: text("What looks mistyped."),
      },
    ),
  ),
});

const recordMembers = {
  id: { type: "string", description: "Id of the record.", format: "uuid" },
  status: oneOf("Whether it may take part.", ["APPROVED", "IN_REVIEW", "REJECTED"]),
  reasonCodes,
  createdAt: instant("When it was made."),
  updatedAt: instant("When it was last changed."),
} as const satisfies Record<string, Schema>;

export const person = answerWith("Person", "A person that is kept.", recordMembers, {
  type: anyType,
  ...textMembers,
  address,
});

export const company = answerWith("Company", "A company that is kept.", recordMembers, {
  type: anyType,
  ...textMembers,
  address,
  relatedParties,
});

const level = oneOf("How much is known.", ["NONE", "BASIC", "FULL"]);
const missing = listOf(
  "What is missing for it.",
  text(
    "A field of the record, `screening`, `documents.<type>`, or of a company `relatedParties.<id>` and `relatedParties.control`.",
  ),
);

export const complianceLevels = answer("ComplianceLevels", "Which level a person or company has come to.", {
  participantId: { type: "string", description: "Id of the person or company.", format: "uuid" },
  level,
  missing: described(missing, "For the next level."),
  levels: listOf("Every level, the lowest first.", answer("ComplianceLevel", "One level.", { level, missing })),
});

const part = <const D extends string>(description: D) => ({ type: "string", description }) as const satisfies Schema;

const checkedParts = {
  addressLine1: part("Street and number."),
  addressLine2: part("Second line."),
  city: part("City."),
  state: part("State, province or region."),
  postalCode: part("Postal code."),
  countryCode: { ...part("ISO 3166-1 code, alpha-2 or alpha-3, in capitals or not."), examples: ["BR", "BRA"] },
} as const satisfies Record<string, Schema>;

/** Parts of an address under their names in a person's record. */
export const addressQuery = {
  type: "object",
  description: "At least one part of an address.",
  properties: checkedParts,
} as const satisfies Schema;

export const addressCheck = answer("AddressCheck", "What was found of an address.", {
  normalised: {
    title: "NormalisedAddress",
    type: "object",
    description: "The address, cleaned.",
    properties: { ...checkedParts, countryCode: { ...part("ISO 3166-1 alpha-2."), examples: ["BR"] } },
  },
  missing: listOf("What the country asks for.", text("A part of the address.")),
  wrong: listOf(
    "What breaks a rule of the country, or a postal code that looks like none of it.",
    answer("WrongAddressPart", "A part of the address.", {
      field: text("The part."),
      message: text("The rule of the country."),
    }),
  ),
  structured: answer("StructuredAddress", "Whether payment messages can carry it as structured data (ISO 20022).", {
    isReady: { type: "boolean", description: "True when they can: town and country are needed." },
    missing: listOf("What is missing for that.", text("In the words of ISO 20022.")),
    tooLong: listOf("What is too long for that.", text("In the words of ISO 20022.")),
  }),
});

const listedParticipant = answer(
  "ListedParticipant",
  "A person or company without what is known of them.",
  recordMembers,
);

export const participantQuery = closedQuery("Which records are meant.", {
  status: recordMembers.status,
  after: text("`next` of the page before. It goes on in the same list with the same filters."),
  limit: { ...integer("Most records of a page."), minimum: 1, maximum: 200, default: 25 },
});

const next = orNull(text("`after` of the next page; null on the last. A page with few records, or none, may have it."));
export const personPage = answer("PersonPage", "A page of persons.", {
  people: listOf("The newest first.", listedParticipant),
  next,
});
export const companyPage = answer("CompanyPage", "A page of companies.", {
  companies: listOf("The newest first.", listedParticipant),
  next,
});
