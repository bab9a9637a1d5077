import type { CorridorPack, FieldRules, MethodRules } from "./corridor-pack";
import { textOf } from "./field-schema";
import {
  additionalDataSchema,
  addressSchema,
  alpha3Code,
  amountSchema,
  anyText,
  closedOf,
  dateText,
  emailText,
  filledText,
  type JsonSchema,
  objectOf,
  onlyNamed,
  personName,
  publishedDocument,
  type SchemaDocument,
  when,
  where,
} from "./json-schema";
import { packExamples } from "./pack-examples";
import {
  destinationCountryRule,
  onlyOfAlias,
  onlyOfMethod,
  payoutNames,
  recipientNames,
  senderNames,
} from "./payment-parts";

/**
 * The schema of one destination country, which a client may render as a form. It is a pure function of the pack: the same
 * pack gives the same bytes, so a pack changed under an old version is detected.
 */
export function countrySchema(pack: CorridorPack): SchemaDocument {
  const { country, name, version } = pack;
  const sender = senderSchema(pack);
  const purposeByMethod = pack.purposes?.requiredFor === "BANK_DEPOSIT";
  const schema = {
    title: `${name} (${country})`,
    version,
    description: `What a payment to ${name} must contain`,
    type: "object",
    required: [
      ...(sender === undefined ? [] : ["sender"]),
      "recipient",
      "recipientAmount",
      ...(pack.requiresAdditionalData ? ["additionalData"] : []),
    ],
    properties: {
      ...(sender !== undefined && { sender }),
      recipient: recipientSchema(pack),
      recipientAmount: amountSchema({ enum: pack.currencies }),
      additionalData: purposeSchema(pack),
    },
    ...onlyNamed(payoutNames),
    ...(purposeByMethod && { allOf: [purposeOnDeposit] }),
    examples: packExamples(pack),
  };
  return publishedDocument(country, schema);
}

const isDeposit: JsonSchema = objectOf({ type: { const: "BANK_DEPOSIT" } }, ["type"]);

const purposeOnDeposit = where(
  objectOf({ recipient: objectOf({ paymentMethod: isDeposit }, ["paymentMethod"]) }, ["recipient"]),
  objectOf({ additionalData: objectOf({}, ["paymentPurpose"]) }, ["additionalData"]),
);

const documentsOnDeposit = where(objectOf({ paymentMethod: isDeposit }, ["paymentMethod"]), {
  required: ["documents"],
});

function purposeSchema({ purposes }: CorridorPack): JsonSchema {
  if (purposes === undefined) return additionalDataSchema();
  const purpose = { type: "string", description: purposes.authority, enum: Object.keys(purposes.codes) };
  return additionalDataSchema(purpose, requiredIf(purposes.requiredFor === "always", "paymentPurpose"));
}

/** The identity and address rules of a sender; empty when the country has none. */
function senderSchema({
  senderRequires = [],
  senderMayHave = [],
  addressRequires,
}: CorridorPack): JsonSchema | undefined {
  const names = [...senderRequires, ...senderMayHave];
  if (names.length === 0 && addressRequires === undefined) return undefined;
  return {
    ...objectOf(
      {
        ...Object.fromEntries(names.map((name) => [name, personNames[name] ?? personFields[name] ?? filledText])),
        ...(addressRequires !== undefined && { address: addressSchema(addressRequires) }),
      },
      [...senderRequires, ...requiredIf(addressRequires !== undefined, "address")],
    ),
    ...onlyNamed(senderNames),
  };
}

const personNames: Readonly<Record<string, JsonSchema>> = { firstName: personName, lastName: personName };

/** Fields of a person besides name and address. */
const personFields: Readonly<Record<string, JsonSchema>> = {
  email: emailText,
  phoneNumber: { type: "string", maxLength: 32 },
  birthDate: dateText,
  birthCountryCode: alpha3Code,
};

function recipientSchema(pack: CorridorPack): JsonSchema {
  const { addressRequires, recipientRequires = [], documents, phoneNumber } = pack;
  return {
    ...objectOf(
      {
        ...personNames,
        address: addressSchema(addressRequires),
        ...personFields,
        ...(recipientRequires.includes("phoneNumber") && { phoneNumber: textOf(phoneNumber) }),
        ...(documents !== undefined && { documents: documentsSchema(documents.types) }),
        paymentMethod: paymentMethodSchema(pack),
      },
      [
        "firstName",
        "lastName",
        "paymentMethod",
        ...requiredIf(addressRequires !== undefined, "address"),
        ...requiredIf(documents?.requiredFor === "always", "documents"),
        ...recipientRequires,
      ],
    ),
    ...onlyNamed(recipientNames),
    ...destinationCountryRule,
    ...(documents?.requiredFor === "BANK_DEPOSIT" && { allOf: [documentsOnDeposit] }),
  };
}

const documentsSchema = (types: FieldRules): JsonSchema => ({
  type: "array",
  minItems: 1,
  items: {
    ...closedOf(
      {
        document: filledText,
        type: { type: "string", enum: Object.keys(types) },
        countryCode: { type: "string", description: "Issuing country" },
      },
      ["document", "type"],
    ),
    allOf: Object.entries(types).map(([type, rule]) => when("type", type, { properties: { document: textOf(rule) } })),
  },
});

function paymentMethodSchema({ country, methods }: CorridorPack): JsonSchema {
  const types = Object.keys(methods);
  const rules = Object.values(methods);
  const [only] = rules;
  return {
    ...objectOf(
      {
        type: { type: "string", enum: types },
        countryCode: { type: "string", enum: [country] },
        ...Object.fromEntries(rules.flatMap(fieldsOf)),
      },
      ["type"],
    ),
    ...(rules.length === 1 && only !== undefined && only.keyTypes === undefined
      ? singleMethod(only, types[0] ?? "")
      : { allOf: Object.entries(methods).flatMap(([type, method]) => conditions(type, method)) }),
  };
}

/** When a country offers one method, the method's requirements apply without a condition. */
const singleMethod = (method: MethodRules, type: string): JsonSchema =>
  method.alternative === undefined
    ? { required: ["type", ...method.requires], ...onlyOfMethod(type) }
    : needs(method, type);

const conditions = (type: string, method: MethodRules): JsonSchema[] => [
  when("type", type, needs(method, type)),
  ...Object.entries(method.keyTypes ?? {}).map(([keyType, rule]) =>
    when("keyType", keyType, { properties: { key: textOf(rule) } }),
  ),
];

function needs({ alternative, requires, fields }: MethodRules, type: string): JsonSchema {
  if (alternative === undefined) return { required: requires, ...onlyOfMethod(type) };
  return {
    ...when("accountNumberType", alternative.accountNumberType, {
      required: alternative.requires,
      properties: textsOf(alternative.fields),
      ...onlyOfAlias(Object.keys(alternative.fields)),
    }),
    else: { required: requires, properties: textsOf(fields), ...onlyOfMethod(type, ["accountNumberType"]) },
  };
}

/** The fields that a form shows for a method; where a field has two forms, the condition holds the rule for each. */
function fieldsOf({ alternative, fields }: MethodRules): [string, JsonSchema][] {
  if (alternative === undefined) return Object.entries(textsOf(fields));
  const names = Object.keys({ ...fields, ...alternative.fields });
  return [
    ["accountNumberType", { type: "string", enum: [alternative.accountNumberType] }],
    ...names.map((name): [string, JsonSchema] => [name, anyText]),
  ];
}

const textsOf = (fields: FieldRules): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, textOf(rule)]));

const requiredIf = (condition: boolean, name: string): string[] => (condition ? [name] : []);
