import type { Language } from "../../shared/kernel/languages";
import type { CorridorPack, FieldRule, FieldRules, MethodRules } from "./corridor-pack";
import { countrySchema } from "./country-schema";
import { strongEtag } from "./etag";
import { fieldWordsOf, methodWordsOf, valueWordsOf } from "./form-words";

/** The presentation of one field. `*` in a path means every row of a list. */
export interface FormField {
  title: string;
  help?: string;
  example?: string;
  inputMode?: "numeric" | "email" | "tel";
  group: "account" | "recipient" | "purpose" | "sender";
  /** Fields of a group are in this order. */
  order: number;
}

/** One way to be paid, with the names of its fields below `recipient.paymentMethod`. */
export interface FormMethod {
  type: string;
  title: string;
  rails?: string;
  expectedMinutes?: number;
  fields: string[];
  optional: string[];
}

/** The form for a payment to a country: the words and the order of the fields of its schema. */
export interface CountryForm {
  country: string;
  name: string;
  schema: { version: string; etag: string };
  language: Language;
  methods: FormMethod[];
  fields: Record<string, FormField>;
  values: Record<string, Record<string, string>>;
}

/** The places of a payout's fields, in the order in which a form asks for them. */
const account = "/recipient/paymentMethod";
const methodNames = [
  "type",
  "countryCode",
  "accountNumberType",
  "keyType",
  "key",
  "bankCode",
  "routingNumber",
  "accountNumber",
  "accountType",
  "walletOperator",
  "walletId",
  "walletType",
  "cardTokenId",
];
const addressNames = ["countryCode", "line1", "line2", "zipCode", "city", "stateCode", "state"];
const personNames = [
  "firstName",
  "lastName",
  "birthDate",
  "birthCountryCode",
  "email",
  "phoneNumber",
  ...addressNames.map((name) => `address/${name}`),
];
const documentNames = ["documents/*/type", "documents/*/document", "documents/*/countryCode"];
const places = {
  account: methodNames.map((name) => `${account}/${name}`),
  recipient: [...personNames, ...documentNames].map((name) => `/recipient/${name}`),
  purpose: ["paymentPurpose", "statementNarrative"].map((name) => `/additionalData/${name}`),
  sender: personNames.map((name) => `/sender/${name}`),
} as const;

/** Makes the form of one country. Its fields are those of the schema with the entity tag that it names. */
export function countryForm(pack: CorridorPack, language: Language): CountryForm {
  const { country, name, version, methods } = pack;
  const rules = rulesOf(pack);
  const fields = Object.entries(places).flatMap(([group, paths]) =>
    paths.map((path, order): [string, FormField] => [
      path,
      fieldOf(path, rules[path], { group: group as FormField["group"], order }, language),
    ]),
  );
  return {
    country,
    name,
    schema: { version, etag: strongEtag(countrySchema(pack).bytes) },
    language,
    methods: Object.entries(methods).map(([type, method]) => methodOf(type, method, language)),
    fields: Object.fromEntries(fields),
    values: valuesOf(pack, rules, language),
  };
}

function fieldOf(
  path: string,
  rule: FieldRule | undefined,
  place: Pick<FormField, "group" | "order">,
  language: Language,
): FormField {
  const inputMode = inputModeOf(path, rule);
  return {
    title: fieldWordsOf(path, language, rule?.check) ?? path,
    ...(rule !== undefined && { help: rule.description, example: rule.example }),
    ...(inputMode !== undefined && { inputMode }),
    ...place,
  };
}

function inputModeOf(path: string, rule: FieldRule | undefined): FormField["inputMode"] {
  if (path.endsWith("/email")) return "email";
  if (path.endsWith("/phoneNumber")) return "tel";
  // A numeric keyboard is enough for a field of digits only.
  return rule?.pattern !== undefined && /^\^\[0-9\]\{\d+(?:,\d*)?\}\$$/.test(rule.pattern) ? "numeric" : undefined;
}

/** The rules of a pack by the path of the field. If two methods have a field, the rule of the first is shown. */
function rulesOf({ methods, recipientRequires = [], phoneNumber }: CorridorPack): Readonly<Record<string, FieldRule>> {
  const ofMethods = Object.values(methods)
    .flatMap(({ fields, alternative }) => [...Object.entries(fields), ...Object.entries(alternative?.fields ?? {})])
    .toReversed()
    .map(([name, rule]) => [`${account}/${name}`, rule] as const);
  return {
    ...Object.fromEntries(ofMethods),
    ...(recipientRequires.includes("phoneNumber") && { "/recipient/phoneNumber": phoneNumber }),
  };
}

function methodOf(type: string, method: MethodRules, language: Language): FormMethod {
  const { rails, expectedMinutes, requires, fields, alternative } = method;
  const required = alternative === undefined ? requires : [...requires, "accountNumberType", ...alternative.requires];
  const all = [...required, ...Object.keys(fields), ...Object.keys(alternative?.fields ?? {})];
  const ordered = methodNames.filter((name) => all.includes(name));
  return {
    type,
    title: methodWordsOf(type, language),
    ...(rails !== undefined && { rails }),
    ...(expectedMinutes !== undefined && { expectedMinutes }),
    fields: ordered,
    optional: ordered.filter((name) => !requires.includes(name)),
  };
}

/** The meaning of every value that is not a name. */
function valuesOf(
  { methods, documents, purposes }: CorridorPack,
  rules: Readonly<Record<string, FieldRule>>,
  language: Language,
): CountryForm["values"] {
  const lists: [string, Readonly<Record<string, string>>][] = [
    [`${account}/type`, Object.fromEntries(Object.keys(methods).map((type) => [type, methodWordsOf(type, language)]))],
    ...Object.entries(rules).map(([path, rule]): [string, Record<string, string>] => [
      path,
      known(rule.enum ?? [], language),
    ]),
    ["/recipient/documents/*/type", documents === undefined ? {} : described(documents.types, language)],
    ["/additionalData/paymentPurpose", purposes?.codes ?? {}],
  ];
  return Object.fromEntries(lists.filter(([, words]) => Object.keys(words).length > 0));
}

const known = (values: readonly string[], language: Language): Record<string, string> =>
  Object.fromEntries(
    values.flatMap((value) => {
      const words = valueWordsOf(value, language);
      return words === undefined ? [] : [[value, words]];
    }),
  );

/** Documents are shown under the name that their country uses. */
const described = (types: FieldRules, language: Language): Record<string, string> =>
  Object.fromEntries(
    Object.entries(types).map(([type, { description }]) => [type, valueWordsOf(type, language) ?? description]),
  );
