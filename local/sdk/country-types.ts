import { generatedHead } from "./api-types";

/** The parts of a country's published schema that are read. */
interface Rules {
  type?: string | readonly string[];
  enum?: readonly string[];
  const?: string;
  required?: readonly string[];
  properties?: Readonly<Record<string, Rules>>;
  propertyNames?: { enum: readonly string[] };
  items?: Rules;
  allOf?: readonly Rules[];
  if?: Rules;
  then?: Rules;
  else?: Rules;
}

export interface CountrySchema extends Rules {
  title: string;
}

/** Every member of a party that a country may require, beside its names, address and documents. */
const partyMembers = ["email", "phoneNumber", "birthDate", "birthCountryCode"];
const tags = new Set(["type", "countryCode"]);

/** Makes the types of what a payout to each country needs, by method, from the schemas that the platform publishes. */
export function countryTypes(schemas: Readonly<Record<string, CountrySchema>>): string {
  const purposes = new Map<string, string>();
  const rows = Object.entries(schemas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([country, schema]) => countryRow(country, schema, purposes));
  return [
    generatedHead.replace("the gateway's route tables", "the published schemas of the countries"),
    'import type { Corridor, Documents, Method, Needs, OneOf, Texts } from "../corridor-types.ts";',
    "",
    ...[...purposes].map(([union, name]) => `type ${name} = { paymentPurpose: ${union} };`),
    "",
    "/** Countries by ISO 3166-1 alpha-3 code, with their ways to be paid. */",
    "export interface Corridors {",
    ...rows,
    "}",
    "",
  ].join("\n");
}

const union = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(" | ");
const member = (schema: Rules | undefined, name: string): Rules | undefined => schema?.properties?.[name];

function countryRow(country: string, schema: CountrySchema, purposes: Map<string, string>): string[] {
  const recipient = member(schema, "recipient");
  const currency = union(member(member(schema, "recipientAmount"), "currency")?.enum ?? []);
  const methods = member(recipient, "paymentMethod");
  const rules = { recipient, data: purposeType(schema, purposes), schema };
  const rows = (member(methods, "type")?.enum ?? []).map(
    (type) => `    ${methodName(type)}: ${methodType(type, methods ?? {}, rules)};`,
  );
  const needs = [`<${currency}`, partyNeeds(recipient, true), partyNeeds(member(schema, "sender"), false)].join(", ");
  return [`  /** ${schema.title} */`, `  ${country}: Corridor${needs}, {`, ...rows, "  }>;"];
}

/** Turns `BANK_DEPOSIT` into bankDeposit. */
const methodName = (type: string): string =>
  type.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Returns a country's requirements for a party beyond those of every country. */
function partyNeeds(party: Rules | undefined, isRecipient: boolean): string {
  const required = party?.required ?? [];
  const texts = partyMembers.filter((name) => required.includes(name));
  const address = required.includes("address") ? (member(party, "address")?.required ?? []) : [];
  const parts = [
    ...(texts.length === 0 ? [] : [`Texts<${union(texts)}>`]),
    ...(address.length === 0 ? [] : [`{ address: Texts<${union(address)}> }`]),
    ...(isRecipient ? documentNeeds(party, required.includes("documents")) : []),
  ];
  return parts.length === 0 ? "unknown" : parts.join(" & ");
}

function documentNeeds(party: Rules | undefined, isRequired: boolean): string[] {
  const types = member(member(party, "documents")?.items, "type")?.enum;
  if (types === undefined) return [];
  return [isRequired ? `Documents<${union(types)}>` : `Partial<Documents<${union(types)}>>`];
}

interface Surroundings {
  recipient: Rules | undefined;
  data: string | undefined;
  schema: CountrySchema;
}

function methodType(type: string, methods: Rules, { recipient, data, schema }: Surroundings): string {
  const needs = fieldTypes(type, methods);
  const deposit = type === "BANK_DEPOSIT";
  const asksDocuments = deposit && (recipient?.allOf ?? []).some((rule) => rule.then?.required?.includes("documents"));
  const asksPurpose =
    (member(schema, "additionalData")?.required ?? []).includes("paymentPurpose") ||
    (deposit && (schema.allOf ?? []).some((rule) => JSON.stringify(rule.then).includes("paymentPurpose")));
  const more = [
    asksDocuments ? 'Needs<"documents">' : "unknown",
    data === undefined ? "unknown" : asksPurpose ? data : `Partial<${data}>`,
  ];
  while (more.at(-1) === "unknown") more.pop();
  return `Method<${JSON.stringify(type)}, ${[needs, ...more].join(", ")}>`;
}

/** Returns the fields of a method. A method with two forms is a union of two. */
function fieldTypes(type: string, methods: Rules): string {
  const rules = ruleOf(type, methods);
  if (rules.if === undefined || rules.then === undefined || rules.else === undefined) return fieldsOf(rules, methods);
  const alias = rules.if.properties?.["accountNumberType"]?.const ?? "";
  const byAlias = `${fieldsOf(rules.then, methods, ["accountNumberType"])} & { accountNumberType: ${JSON.stringify(alias)} }`;
  return `OneOf<${byAlias}, ${fieldsOf(rules.else, methods, ["accountNumberType"])}>`;
}

/** Returns the schema's rules for a method: in a condition on its type, or for the payment method as a whole if there is only one. */
function ruleOf(type: string, methods: Rules): Rules {
  const condition = (methods.allOf ?? []).find((rule) => rule.if?.properties?.["type"]?.const === type);
  return condition?.then ?? methods;
}

function fieldsOf(rules: Rules, methods: Rules, without: readonly string[] = []): string {
  const allowed = rules.propertyNames?.enum ?? Object.keys(methods.properties ?? {});
  const names = allowed.filter((name) => !tags.has(name) && !without.includes(name) && methods.properties?.[name]);
  const isRequired = (name: string): boolean => (rules.required ?? []).includes(name);
  const listed = (name: string) => rules.properties?.[name]?.enum ?? methods.properties?.[name]?.enum;
  const [plain, choices] = [names.filter((name) => !listed(name)), names.filter((name) => listed(name))];
  const required = plain.filter(isRequired);
  const optional = plain.filter((name) => !isRequired(name));
  const parts = [
    ...(required.length + optional.length === 0
      ? []
      : [`Texts<${union(required) || "never"}${optional.length === 0 ? "" : `, ${union(optional)}`}>`]),
    ...choices.map((name) => `{ ${name}${isRequired(name) ? "" : "?"}: ${union(listed(name) ?? [])} }`),
  ];
  return parts.join(" & ") || "unknown";
}

function purposeType(schema: CountrySchema, purposes: Map<string, string>): string | undefined {
  const codes = member(member(schema, "additionalData"), "paymentPurpose")?.enum;
  if (codes === undefined) return undefined;
  const text = union(codes);
  const name = purposes.get(text) ?? `Purpose${purposes.size + 1}`;
  purposes.set(text, name);
  return name;
}
