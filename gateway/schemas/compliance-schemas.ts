import { arrayOf, booleanSchema, enumSchema, objectSchema, textSchema } from "./document-schema";

const level = enumSchema("How much is known.", ["NONE", "BASIC", "FULL"]);
const missing = arrayOf(
  textSchema(
    "A field of the record, `screening`, `documents.<type>`, or of a company `relatedParties.<id>` and `relatedParties.control`.",
  ),
);

export const levelsSchema = objectSchema({
  participantId: textSchema("Id of the person or company.", { format: "uuid" }),
  level,
  missing: { ...missing, description: "For the next level." },
  levels: arrayOf(objectSchema({ level, missing })),
});

const part = (description: string) => ({ description, schema: { type: "string", maxLength: 140 } });

/** Parts of an address, as a person's record names them. */
export const addressQuery = {
  addressLine1: part("Street and number."),
  addressLine2: part("Second line."),
  city: part("City."),
  state: part("State, province or region."),
  postalCode: part("Postal code."),
  countryCode: part("ISO 3166-1, alpha-2 or alpha-3."),
};

export const addressCheckSchema = objectSchema({
  normalised: objectSchema(
    Object.fromEntries(Object.entries(addressQuery).map(([name, { description }]) => [name, textSchema(description)])),
    Object.keys(addressQuery),
  ),
  missing: arrayOf(textSchema("A part that the country asks for.")),
  wrong: arrayOf(objectSchema({ field: textSchema("The part."), message: textSchema("The rule of the country.") })),
  structured: objectSchema({
    isReady: booleanSchema("True when payment messages can carry it as structured data (ISO 20022): town and country."),
    missing: arrayOf(textSchema("In the words of ISO 20022.")),
    tooLong: arrayOf(textSchema("In the words of ISO 20022.")),
  }),
});
