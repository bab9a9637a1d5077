import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCorridorPack } from "../../services/schema/domain/corridor-pack";
import { countrySchema } from "../../services/schema/domain/country-schema";
import { pushSchema } from "../../services/schema/domain/push-schema";
import { dataOf, faultOf, fieldsOf, knownOf, payoutSchema, type Schema, type Values, valuesOf } from "./engine";

const folder = join(__dirname, "../../services/schema/packs");
const read = (bytes: Uint8Array) =>
  JSON.parse(Buffer.from(bytes).toString("utf8")) as Schema & { readonly examples: readonly object[] };
const push = read(pushSchema.bytes);
const schemas = readdirSync(folder).map(
  (file): readonly [string, Schema & { readonly examples: readonly object[] }] => {
    const pack = parseCorridorPack(readFileSync(join(folder, file), "utf8"), file);
    const country = read(countrySchema(pack).bytes);
    return [pack.country, { ...payoutSchema(country, push), examples: country.examples }];
  },
);
/** Amounts are not part of the form. */
const asked = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([path]) => !path.startsWith("recipientAmount.")));
const examplesOf = schemas.flatMap(([country, schema]) =>
  schema.examples.map((example, at) => [`${country} ${at}`, schema, asked(valuesOf(example))] as const),
);

describe("the form of a country", () => {
  it("is made for every country", () => {
    expect(schemas).toHaveLength(133);
    expect(examplesOf.length).toBeGreaterThan(180);
  });

  it.each(examplesOf)("shows every field of the example %s, and finds each right", (_name, schema, values) => {
    const fields = fieldsOf(schema, dataOf(values));
    const shown = new Set(fields.map(({ path }) => path));

    expect(Object.keys(values).filter((path) => !shown.has(path))).toEqual([]);
    expect(fields.filter((field) => faultOf(field, values[field.path]))).toEqual([]);
  });

  it.each(examplesOf)("tells of each field of the example %s that is missing or damaged", (_name, schema, values) => {
    for (const field of fieldsOf(schema, dataOf(values))) {
      const { path, rules, isRequired } = field;
      if (isRequired) expect([path, faultOf(field, "")]).toEqual([path, "required"]);
      if (rules.pattern !== undefined && rules.enum === undefined) {
        expect([path, faultOf(field, "\u0000")]).not.toEqual([path, undefined]);
      }
      if (rules.enum !== undefined) expect([path, faultOf(field, "NOT ONE OF THEM")]).toEqual([path, "choice"]);
    }
  });

  it.each(schemas)("offers no field of another method, in %s", (_country, schema) => {
    const types = fieldsOf(schema, {}).find(({ path }) => path === "recipient.paymentMethod.type")?.choices ?? [];
    const own: Readonly<Record<string, RegExp>> = {
      BANK_DEPOSIT: /^(type|countryCode|account.*|bankCode|routingNumber)$/,
      WALLET: /^(type|countryCode|wallet.*)$/,
      PIX: /^(type|countryCode|key.*)$/,
      CARD: /^(type|countryCode|card.*)$/,
    };
    for (const type of types) {
      const fields = fieldsOf(schema, { recipient: { paymentMethod: { type } } });
      const names = fields
        .filter(({ path }) => path.startsWith("recipient.paymentMethod."))
        .map(({ path }) => path.replace("recipient.paymentMethod.", ""));
      expect(names.filter((name) => own[type]?.test(name) !== true)).toEqual([]);
    }
  });

  it("fills in what can have one value alone", () => {
    const brazil = schemas.find(([country]) => country === "BRA")?.[1] ?? {};

    expect(knownOf(fieldsOf(brazil, {}))).toMatchObject({
      "recipient.paymentMethod.countryCode": "BRA",
      "recipient.documents.0.type": "CPF",
    });
  });

  it("asks for the purpose where a method of the country needs one", () => {
    const philippines = schemas.find(([country]) => country === "PHL")?.[1] ?? {};
    const purposeUnder = (type: string) =>
      fieldsOf(philippines, { recipient: { paymentMethod: { type } } }).find(
        ({ path }) => path === "additionalData.paymentPurpose",
      )?.isRequired;

    expect([purposeUnder("BANK_DEPOSIT"), purposeUnder("WALLET")]).toEqual([true, false]);
  });
});
