import type { CorridorPack, FieldRules, MethodRules } from "./corridor-pack";

type Example = Readonly<Record<string, unknown>>;

const sender = {
  firstName: "Taylor",
  lastName: "Morgan",
  address: { countryCode: "USA", stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" },
};
const birth = { birthDate: "1990-04-15", birthCountryCode: "USA" };

/**
 * One example payment per method of a country, made from the examples of its pack and limited to the parts that the
 * country's schema covers. Every example passes the schema.
 */
export const packExamples = (pack: CorridorPack): Example[] =>
  Object.entries(pack.methods)
    .flatMap(([type, method]) => methodExamples(type, method))
    .map((method) => ({
      sender: { ...sender, ...ofPerson(pack, [...(pack.senderRequires ?? []), ...(pack.senderMayHave ?? [])]) },
      recipient: recipientExample(pack, { countryCode: pack.country, ...method }),
      recipientAmount: { total: 100, currency: pack.currencies[0] },
      additionalData: pack.purposes === undefined ? {} : { paymentPurpose: pack.purposes.example },
    }));

function methodExamples(type: string, { requires, fields, alternative }: MethodRules): Example[] {
  const plain = { type, ...examplesOf(fields, requires) };
  if (alternative === undefined) return [plain];
  const { accountNumberType } = alternative;
  return [plain, { type, accountNumberType, ...examplesOf(alternative.fields, alternative.requires) }];
}

const examplesOf = (fields: FieldRules, names: readonly string[]): Example =>
  Object.fromEntries(names.map((name) => [name, fields[name]?.example]));

function recipientExample(pack: CorridorPack, paymentMethod: Example): Example {
  const { country, sample, documents, recipientRequires = [] } = pack;
  const { firstName, lastName, ...address } = sample;
  const [document] = Object.entries(documents?.types ?? {}).map(([type, { example }]) => ({ type, document: example }));
  return {
    firstName,
    lastName,
    address: { countryCode: country, ...address },
    ...ofPerson(pack, recipientRequires),
    ...(document !== undefined && { documents: [document] }),
    paymentMethod,
  };
}

function ofPerson({ phoneNumber }: CorridorPack, names: readonly string[]): Example {
  const known: Example = { ...birth, email: "person@example.com", phoneNumber: phoneNumber.example };
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}
