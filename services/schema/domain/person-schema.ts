import type { CorridorPack, PersonRules } from "./corridor-pack";
import { textOf } from "./field-schema";
import {
  anyText,
  emailText,
  filledText,
  type JsonSchema,
  objectOf,
  publishedDocument,
  type SchemaDocument,
  when,
} from "./json-schema";

/** Name under which the person schema of a country (alpha-3) is published. */
export const personSchemaName = (country: string): string => `person/${country}`;

/**
 * The schema of a person of one country, which a client may render as a form. Like the payment schema, it is a pure function
 * of the pack, under the pack's version. A pack without rules for persons requires nothing.
 */
export function personSchema({ country, alpha2, name, version, person }: CorridorPack): SchemaDocument {
  const rules = Object.entries(person ?? {});
  const always = sharedBy(rules.map(([, { requires }]) => requires));
  const kinds = [...new Set(rules.flatMap(([, { identification }]) => Object.keys(identification)))];
  const schema = {
    title: `Person of ${name} (${country})`,
    version,
    description: `What must be known of a person or a company of ${name}`,
    ...objectOf(
      {
        type: { type: "string", enum: ["INDIVIDUAL", "BUSINESS"] },
        identificationType: kinds.length === 0 ? filledText : { type: "string", enum: kinds },
        identification: filledText,
        gender: { type: "string", enum: ["M", "F"] },
        firstName: filledText,
        lastName: filledText,
        companyName: { ...filledText, description: "Of a business" },
        address: addressOf(alpha2, always),
      },
      rootNames(always),
    ),
    ...(rules.length > 0 && {
      allOf: rules.map(([type, rule]) => when("type", type, rulesOfType(rule, always))),
    }),
  };
  return publishedDocument(personSchemaName(country), schema);
}

const addressOf = (alpha2: string, required: readonly string[]): JsonSchema =>
  objectOf(
    {
      addressLine1: filledText,
      addressLine2: anyText,
      city: filledText,
      state: filledText,
      postalCode: filledText,
      countryCode: { type: "string", description: "ISO 3166-1 alpha-2", enum: [alpha2] },
      phoneNumber: { ...filledText, description: "With the country's calling code", maxLength: 32 },
      emailAddress: emailText,
    },
    addressNames(required),
  );

/** The requirements of one type of person beyond those of every person. */
function rulesOfType({ requires, identification }: PersonRules, always: readonly string[]): JsonSchema {
  const own = requires.filter((path) => !always.includes(path));
  const ofAddress = addressNames(own);
  return {
    ...objectOf(
      {
        identificationType: { enum: Object.keys(identification) },
        ...(ofAddress.length > 0 && { address: { required: ofAddress } }),
      },
      rootNames(own),
    ),
    allOf: Object.entries(identification).map(([kind, rule]) =>
      when("identificationType", kind, { properties: { identification: textOf(rule) } }),
    ),
  };
}

/** Paths common to all lists. */
const sharedBy = ([first = [], ...others]: readonly string[][]): string[] =>
  first.filter((path) => others.every((paths) => paths.includes(path)));

const inAddress = "address.";

/** The root field of each path; a field of the address requires the address. */
const rootNames = (paths: readonly string[]): string[] => [
  ...paths.filter((path) => !path.includes(".")),
  ...(paths.some((path) => path.startsWith(inAddress)) ? ["address"] : []),
];

const addressNames = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.startsWith(inAddress)).map((path) => path.slice(inAddress.length));
