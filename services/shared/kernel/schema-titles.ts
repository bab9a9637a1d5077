/** A JSON Schema, or a part of one, of any draft. */
type Schema = { readonly [keyword: string]: unknown };

/** Titles of fields whose names do not explain themselves, or that forms spell differently. */
const knownTitles: Readonly<Record<string, string>> = {
  line1: "Address line 1",
  line2: "Address line 2",
  addressLine1: "Address line 1",
  addressLine2: "Address line 2",
  zipCode: "Postal code",
  countryCode: "Country",
  countryCodeAlpha3: "Country",
  stateCode: "State or province code",
  state: "State or province",
  birthCountryCode: "Country of birth",
  birthDate: "Date of birth",
};

const initialisms = new Set(["acs", "avs", "bin", "cvc", "fx", "gmt", "id", "ids", "ip", "kyc", "uri", "url"]);

/** Returns the label that a form shows for the field of this name: "First name" for `firstName`. */
export function fieldTitle(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[ _-]+/)
    .map((word) => word.toLowerCase())
    .map((word) => (initialisms.has(word) ? word.toUpperCase().replace("IDS", "IDs") : word));
  const text = words.join(" ");
  return knownTitles[name] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the title of one item of a list: "Document" for "Documents". */
function itemTitle(list: string): string {
  if (list.endsWith("ies")) return `${list.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(list)) return list.slice(0, -2);
  return /[^s]s$/.test(list) ? list.slice(0, -1) : `${list}, one item`;
}

/**
 * Returns the schema with a title for every value that it describes: its own where it has one, else one made from the name of the
 * field. Conditions and alternatives describe no value of their own and keep what they have; so do references.
 */
export function withTitles(schema: Schema, title: string): Schema {
  return "$ref" in schema ? schema : { title, ...withInnerTitles(schema, title) };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const withInnerTitles = (schema: Schema, title: string): Schema =>
  Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, innerOf(keyword, value, title)]));

function innerOf(keyword: string, value: unknown, title: string): unknown {
  switch (keyword) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Schema).map(([name, member]) => [name, memberOf(member, fieldTitle(name))]),
      );
    case "items":
      return memberOf(value, itemTitle(title));
    case "additionalProperties":
      return memberOf(value, "Further field");
    case "then":
    case "else":
      return isSchema(value) ? withInnerTitles(value, title) : value;
    case "allOf":
    case "anyOf":
    case "oneOf":
      return (value as readonly Schema[]).map((part) => withInnerTitles(part, title));
    default:
      return value;
  }
}

/** Returns a member. One that only compares, with `const` or `required`, adds a rule to a value that is described elsewhere. */
const memberOf = (member: unknown, title: string): unknown =>
  isSchema(member) && ("type" in member || "$ref" in member || "description" in member || "oneOf" in member)
    ? withTitles(member, title)
    : isSchema(member)
      ? withInnerTitles(member, title)
      : member;
