import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { changed, type Json, payloadCases, validPayload } from "../../../test/support/corridor-payloads";
import { loadPacks } from "../adapters/files/load-packs";
import { countrySchema } from "./country-schema";

/** The specification's lists, repeated here so that an edit of a pack cannot change them unnoticed. */
const words = (text: string): string[] => text.split(" ");
const corridors = words(
  "BRA CHL COL TUR KEN KOR MNG IND MEX BGD CHN CIV GIN IDN LKA MDG MLI MYS NGA PAK PHL SGP CAN EGY GMB NPL THA VNM MAR",
);
const sepa = words("AUT BEL BGR HRV CYP EST FIN FRA DEU GRC IRL ITA LVA LTU LUX MLT NLD PRT SVK SVN ESP MCO SMR");
const needAddress = words("BGD CHL CHN CIV GIN IDN KEN LKA MDG MLI MYS NGA PAK PHL SGP TUR");
const needPurpose = words("CAN CHN COL EGY GMB IDN IND KOR MYS NPL PAK SGP THA VNM");
const needPurposeOnDeposit = words("BGD PHL");
const needAdditionalDataOnly = words("BRA MAR MEX");
const needDocuments = words("BRA CHL COL TUR");
const needPhone = words("KOR MNG");

interface Country {
  fails(payload: Json): string[];
  document: Json;
}
const countries = new Map<string, Country>();

beforeAll(async () => {
  for (const pack of await loadPacks()) {
    const document = JSON.parse(countrySchema(pack).bytes.toString()) as Json;
    const ajv = new Ajv({ allErrors: true, strictRequired: false, keywords: ["version"] });
    addFormats(ajv);
    const validate = ajv.compile(document);
    countries.set(pack.country, {
      document,
      fails(payload) {
        validate(payload);
        const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if");
        return errors.map(({ instancePath, params }) =>
          [...instancePath.split("/").slice(1), params["missingProperty"] as unknown].filter(Boolean).join("."),
        );
      },
    });
  }
});

const country = (code: string): Country => countries.get(code) ?? { document: {}, fails: () => ["country"] };
const every = (): string[] => [...countries.keys()];
const without = (code: string, path: string): string[] => country(code).fails(changed(validPayload(code), path));
/** The corridors whose sample payment fails at a path when its value is removed. */
const needing = (path: string): string[] => every().filter((code) => without(code, path).includes(path));
const sorted = (codes: string[]): string[] => codes.toSorted();
const paymentMethodOf = (code: string): { properties: Record<string, Json>; required: string[] } => {
  const { properties } = country(code).document as {
    properties: {
      recipient: { properties: { paymentMethod: { properties: Record<string, Json>; required: string[] } } };
    };
  };
  return properties.recipient.properties.paymentMethod;
};
const methodsOf = (code: string): string[] => paymentMethodOf(code).properties["type"]?.["enum"] as string[];
const sampleOf = (code: string, type: string): Json =>
  payloadCases.find(
    (sample) =>
      sample.country === code &&
      sample.expectField === undefined &&
      Object(Object(sample.payload["recipient"])["paymentMethod"])["type"] === type,
  )?.payload ?? {};

describe("the rules of the specification", () => {
  it("cover 29 named and 23 SEPA corridors, all of them served", () => {
    expect([corridors.length, sepa.length]).toEqual([29, 23]);
    expect(every()).toEqual(expect.arrayContaining([...corridors, ...sepa]));
  });

  it.each(["recipient", "sender"])("s where the list says so%s where the list says so", (party) => {
    for (const field of ["countryCode", "city", "line1"]) {
      expect(needing(`${party}.address.${field}`)).toEqual(sorted(needAddress));
    }
    expect(needing(`${party}.address`)).toEqual(sorted(needAddress));
  });

  it("require documents always, or in Kenya for a bank deposit", () => {
    expect(needing("recipient.documents")).toEqual(sorted([...needDocuments, "KEN"]));
    expect(country("KEN").fails(changed(sampleOf("KEN", "WALLET"), "recipient.documents"))).toEqual([]);
  });

  it.each([
    ["BRA", ["CPF"]],
    ["COL", ["CC"]],
    ["TUR", ["ID", "PASSPORT", "DRIVER_LICENSE"]],
    ["CHL", ["RUT"]],
    ["KEN", ["ID", "PASSPORT"]],
  ])("accept the documents of %s", (code, types) => {
    expect(JSON.stringify(country(code).document)).toContain(
      `"type":{"title":"Type","type":"string","enum":${JSON.stringify(types)}}`,
    );
  });

  it("accept a CPF plain and formatted", () => {
    const cpf = (document: string) =>
      country("BRA").fails(changed(validPayload("BRA"), "recipient.documents.0.document", document));

    expect([cpf("39053344705"), cpf("390.533.447-05")]).toEqual([[], []]);
    expect(cpf("390.533.44705")).toEqual(["recipient.documents.0.document"]);
  });

  it("require e-mail, phone and birth data where the lists say so", () => {
    expect(needing("recipient.email")).toEqual(["COL"]);
    expect(needing("recipient.phoneNumber")).toEqual(needPhone);
    for (const party of ["recipient", "sender"]) {
      expect(needing(`${party}.birthDate`)).toEqual(["KOR"]);
      expect(needing(`${party}.birthCountryCode`)).toEqual(["KOR"]);
    }
  });

  it.each(["sender.birthDate", "recipient.birthDate"])("accept only calendar days as %s", (path) => {
    const dated = (date: string) => country("CHN").fails(changed(validPayload("CHN"), path, date));

    expect(["1990-04-15", "2024-02-29"].flatMap(dated)).toEqual([]);
    for (const date of ["15.04.1990", "2026-02-30", "2023-02-29", "2026-04-31", "1990-4-15"])
      expect({ date, fields: [...new Set(dated(date))] }).toEqual({ date, fields: [path] });
  });

  it("require a purpose always, or in Bangladesh and the Philippines for a bank deposit", () => {
    expect(needing("additionalData.paymentPurpose")).toEqual(sorted([...needPurpose, ...needPurposeOnDeposit]));
    for (const code of needPurposeOnDeposit) {
      expect(country(code).fails(changed(sampleOf(code, "WALLET"), "additionalData"))).toEqual([]);
      expect(without(code, "additionalData")).toContain("additionalData");
    }
  });

  it("require additionalData in Brazil, Morocco and Mexico, even if it is empty", () => {
    expect(needing("additionalData")).toEqual(
      sorted([...needAdditionalDataOnly, ...needPurpose, ...needPurposeOnDeposit]),
    );
    for (const code of needAdditionalDataOnly) {
      expect(country(code).fails(changed(validPayload(code), "additionalData", {}))).toEqual([]);
    }
  });

  it("let Brazil be paid by bank deposit and PIX, each with its own fields", () => {
    const of = (paymentMethod: object) =>
      country("BRA").fails(changed(validPayload("BRA"), "recipient.paymentMethod", paymentMethod));

    expect(methodsOf("BRA")).toEqual(["BANK_DEPOSIT", "PIX"]);
    expect(of({ type: "BANK_DEPOSIT" }).toSorted()).toEqual(
      ["accountNumber", "accountType", "bankCode", "routingNumber"].map((name) => `recipient.paymentMethod.${name}`),
    );
    expect(of({ type: "PIX" }).toSorted()).toEqual(["recipient.paymentMethod.key", "recipient.paymentMethod.keyType"]);
  });

  it("let India and Mexico be paid by an alias, which needs other fields", () => {
    const of = (code: string, paymentMethod: object) =>
      country(code)
        .fails(changed(validPayload(code), "recipient.paymentMethod", { type: "BANK_DEPOSIT", ...paymentMethod }))
        .map((field) => field.replace("recipient.paymentMethod.", ""))
        .toSorted();

    expect(of("IND", { accountNumberType: "UPI" })).toEqual(["accountNumber"]);
    expect(of("IND", {})).toEqual(["accountNumber", "accountType", "bankCode"]);
    expect(of("IND", { accountNumber: "50100012345678", accountType: "SAVINGS", bankCode: "HDFC1000001" })).toEqual([
      "bankCode",
    ]);
    expect(of("MEX", { accountNumberType: "DIMO" })).toEqual(["accountNumber", "bankCode"]);
    expect(of("MEX", {})).toEqual(["accountNumber"]);
    expect(of("MEX", { accountNumber: "5512345678" })).toEqual(["accountNumber"]);
    expect(of("MEX", { accountNumber: "012180001567891232" })).toEqual([]);
    expect(every().filter((code) => paymentMethodOf(code).properties["accountNumberType"] !== undefined)).toEqual([
      "IND",
      "MEX",
    ]);
  });

  it.each(sepa)("require only an IBAN for %s", (code) => {
    const { properties, required } = paymentMethodOf(code);

    expect(required).toEqual(["type", "accountNumber"]);
    expect(Object.keys(properties).toSorted()).toEqual(["accountNumber", "countryCode", "type"]);
    expect(country(code).document["properties"]).toMatchObject({
      recipientAmount: { properties: { currency: { enum: ["EUR"] } } },
    });
  });

  it("pay Guinea in two currencies and Germany by a German IBAN", () => {
    expect(country("GIN").document["properties"]).toMatchObject({
      recipientAmount: { properties: { currency: { enum: ["GNF", "XOF"] } } },
    });
    expect(paymentMethodOf("DEU").properties["accountNumber"]?.["pattern"]).toBe("^DE\\d{20}$");
  });

  it("restrict a sender nowhere else", () => {
    const constrained = every().filter((code) => Object.hasOwn(Object(country(code).document["properties"]), "sender"));

    expect(constrained).toEqual(sorted([...needAddress, "KOR"]));
  });
});
