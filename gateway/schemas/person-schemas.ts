import type { DocumentSchema } from "../route";
import {
  arrayOf,
  enumSchema,
  instantSchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "./document-schema";

const addressProperties = {
  addressLine1: textSchema("Street and number."),
  addressLine2: textSchema("Second line."),
  city: textSchema("City."),
  state: textSchema("State, province or region."),
  postalCode: textSchema("Postal code."),
  countryCode: textSchema("ISO 3166-1 alpha-2.", { pattern: "^[A-Z]{2}$" }),
  phoneNumber: textSchema("Phone number."),
  emailAddress: textSchema("E-mail address."),
};

const personProperties = {
  type: enumSchema("Kind of person.", ["INDIVIDUAL", "BUSINESS"]),
  identificationType: textSchema("Kind of document.", { examples: ["NATIONAL_ID", "PASSPORT", "TAX_ID"] }),
  identification: textSchema("Number of the document."),
  gender: enumSchema("Of an individual.", ["M", "F"]),
  firstName: textSchema("Given name of an individual."),
  lastName: textSchema("Family name of an individual."),
  companyName: textSchema("Name of a business."),
  birthDate: textSchema("Date of birth, YYYY-MM-DD.", { format: "date" }),
  address: objectSchema(addressProperties, Object.keys(addressProperties)),
};

const relatedParties = arrayOf(
  objectSchema(
    {
      participantId: textSchema("Id of a person or company of the same tenant.", { format: "uuid" }),
      roles: arrayOf(
        enumSchema("OWNER has a share; SIGNATORY is a person; CONTROLLER decides without owning.", [
          "OWNER",
          "DIRECTOR",
          "SIGNATORY",
          "CONTROLLER",
        ]),
        { minItems: 1 },
      ),
      share: numberSchema("Of an owner: per cent of the company, above 0, with up to four decimals.", { maximum: 100 }),
    },
    ["share"],
  ),
  { maxItems: 100, description: "Who owns, directs, signs for and controls the company." },
);

/** A person as a caller writes it. `GET /schema/person` says what its country asks for. */
export const personSchema = objectSchema(personProperties, Object.keys(personProperties));

/** A company as a caller writes it. */
export const companySchema = objectSchema({ ...personProperties, relatedParties }, [
  ...Object.keys(personProperties),
  "relatedParties",
]);

const cleared = (properties: Readonly<Record<string, DocumentSchema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, nullable(schema)]));

/** What a change may say: a member that is null is taken away, one that is absent stays (RFC 7396). */
export const personChangeSchema = objectSchema(
  {
    ...cleared(personProperties),
    address: nullable(objectSchema(cleared(addressProperties), Object.keys(addressProperties))),
  },
  Object.keys(personProperties),
);

/** The same of a company; a list of related parties replaces the one before. */
export const companyChangeSchema = objectSchema(
  {
    ...cleared(personProperties),
    address: nullable(objectSchema(cleared(addressProperties), Object.keys(addressProperties))),
    relatedParties: nullable(relatedParties),
  },
  [...Object.keys(personProperties), "relatedParties"],
);

const reasonCodes = arrayOf(textSchema("REQUIREMENT_NOT_MET or SCREENING_HIT."));

const decisionProperties = {
  id: textSchema("Id of the record; absent when nothing was kept.", { format: "uuid" }),
  type: personProperties.type,
  firstName: personProperties.firstName,
  lastName: personProperties.lastName,
  status: enumSchema("What was decided.", ["APPROVED", "REJECTED"]),
  message: textSchema("Why it was rejected."),
  reasonCodes,
};

const advice = arrayOf(
  objectSchema({
    field: textSchema("Dotted path of a number whose checksum does not fit."),
    message: textSchema("What looks mistyped. Nobody is rejected for it."),
  }),
);

const sometimes = ["id", "type", "firstName", "lastName", "message", "reasonCodes"];

export const decisionSchema = objectSchema(decisionProperties, sometimes);

/** Advice is there only when a number looks mistyped. */
export const validationSchema = objectSchema({ ...decisionProperties, advice }, [...sometimes, "advice"]);

const participantProperties = {
  id: textSchema("Id of the record.", { format: "uuid" }),
  ...personProperties,
  status: enumSchema("Whether it may take part.", ["APPROVED", "IN_REVIEW", "REJECTED"]),
  reasonCodes,
  createdAt: instantSchema("When it was made."),
  updatedAt: instantSchema("When it was last changed."),
};
const unsaid = Object.keys(personProperties).filter((name) => name !== "type");

export const participantSchema = objectSchema(participantProperties, unsaid);

export const companyAnswerSchema = objectSchema({ ...participantProperties, relatedParties }, [
  ...unsaid,
  "relatedParties",
]);
