import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import { changed, type Json, payloadCases, validPayload } from "../../../test/support/corridor-payloads";
import { loadPacks } from "../adapters/files/load-packs";
import { countrySchema } from "./country-schema";
import { pushSchema } from "./push-schema";

/** Compiles a schema as the platform does and returns the dotted paths of all failed fields. */
function checker(document: Uint8Array): (payload: Json) => string[] {
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, keywords: ["version"] });
  addFormats(ajv);
  const validate = ajv.compile(JSON.parse(Buffer.from(document).toString()));
  return (payload) => (validate(payload) ? [] : [...new Set((validate.errors ?? []).flatMap(failedField))]);
}

/** Drops the extra error that an `if` without its `then`, or an `anyOf`, adds to those with the cause. */
function failedField({ keyword, instancePath, params }: ErrorObject): string[] {
  if (keyword === "if" || keyword === "anyOf") return [];
  const missing: unknown = params["missingProperty"];
  return [[...instancePath.split("/").slice(1), ...(typeof missing === "string" ? [missing] : [])].join(".")];
}

const checks = new Map<string, (payload: Json) => string[]>();
const check = (payload: Json, country = "BRA"): string[] => checks.get(country)?.(payload) ?? ["country"];

beforeAll(async () => {
  for (const pack of await loadPacks()) checks.set(pack.country, checker(countrySchema(pack).bytes));
});

const countries = [...new Set(payloadCases.map(({ country }) => country))];
const valid = validPayload("BRA");
const pix = (key: string, keyType: string) =>
  changed(valid, "recipient.paymentMethod", { type: "PIX", countryCode: "BRA", key, keyType });

describe("the schema of every country", () => {
  it("exists for 133 corridors", () => {
    expect([...checks.keys()]).toEqual(countries.toSorted());
    expect(countries).toHaveLength(133);
  });

  it.each(countries)("accepts and refuses the sample payloads of %s", (country) => {
    for (const { name, payload, expectField } of payloadCases.filter((sample) => sample.country === country)) {
      const fields = check(payload, country);

      if (expectField === undefined) expect({ name, fields }).toEqual({ name, fields: [] });
      else expect(fields).toContain(expectField);
    }
  });
});

describe("the destination country of a push", () => {
  const without = (payload: Json, ...paths: string[]): Json =>
    paths.reduce<Json>((body, path) => changed(body, path, undefined), payload);
  const checkPush = checker(pushSchema.bytes);
  const [ofMethod, ofAddress] = ["recipient.paymentMethod.countryCode", "recipient.address.countryCode"];

  it.each(countries)("s, on one field%s, on one field", (country) => {
    const named = changed(validPayload(country), "recipient.address", { countryCode: country });
    const nowhere = without(named, ofMethod, ofAddress);

    expect(
      [check(nowhere, country), checkPush(nowhere)].map((fields) => fields.filter((field) => field === ofMethod)),
    ).toEqual([[ofMethod], [ofMethod]]);
    expect(checkPush(without(nowhere, "recipient.address"))).toEqual([ofMethod]);
    for (const enough of [without(named, ofMethod), without(named, ofAddress)]) {
      expect([...check(enough, country), ...checkPush(enough)]).not.toContain(ofMethod);
    }
  });
});

describe("the schema of Brazil", () => {
  it.each([
    ["maria.souza@example.com", "EMAIL"],
    ["+5511987654321", "PHONE"],
    ["390.533.447-05", "DOCUMENT"],
    ["16727230000197", "DOCUMENT"],
    ["123e4567-e89b-42d3-a456-426614174000", "EVP"],
  ])("accepts the PIX key %s as %s", (key, keyType) => {
    expect(check(pix(key, keyType))).toEqual([]);
  });

  it.each([
    ["maria.souza", "EMAIL"],
    ["11987654321", "PHONE"],
    ["3905334470", "DOCUMENT"],
    ["maria.souza@example.com", "EVP"],
  ])("refuses the PIX key %s as %s", (key, keyType) => {
    expect(check(pix(key, keyType))).toEqual(["recipient.paymentMethod.key"]);
  });

  it("refuses an unknown key type, and a PIX payout without key and key type", () => {
    expect(check(pix("x", "CPF"))).toEqual(["recipient.paymentMethod.keyType"]);
    expect(check(changed(valid, "recipient.paymentMethod", { type: "PIX" }))).toEqual([
      "recipient.paymentMethod.key",
      "recipient.paymentMethod.keyType",
    ]);
  });

  it.each<[string, string, unknown]>([
    ["a method that is not offered", "recipient.paymentMethod.type", "CARD"],
    ["another country's method", "recipient.paymentMethod.countryCode", "COL"],
    ["a CPF of ten digits", "recipient.documents.0.document", "3905334470"],
    ["no document at all", "recipient.documents", []],
    ["a negative amount", "recipientAmount.total", -1],
    ["an amount in quotes", "recipientAmount.total", "1"],
    ["an alpha-2 country", "recipient.address.countryCode", "BR"],
  ])("refuses %s", (_case, path, value) => {
    expect(check(changed(valid, path, value))).toEqual([path]);
  });

  it("names every failed field at once", () => {
    expect(check({}).toSorted()).toEqual(["additionalData", "recipient", "recipientAmount"]);
  });
});

describe("the schema of every push", () => {
  const checkPush = checker(pushSchema.bytes);

  it("accepts the sample payment, over IPv6 too", () => {
    expect(checkPush(valid)).toEqual([]);
    expect(checkPush(changed(valid, "ipAddress", "2001:db8::1"))).toEqual([]);
    expect(checkPush(changed(valid, "sender.address", {}))).toEqual([]);
  });

  it("names every missing field at once", () => {
    expect(checkPush({}).toSorted()).toEqual([
      "amount",
      "externalPaymentId",
      "ipAddress",
      "paymentType",
      "recipient",
      "recipientAmount",
      "sender",
    ]);
  });

  it.each<[string, unknown]>([
    ["externalPaymentId", ""],
    ["externalPaymentId", "a b"],
    ["externalPaymentId", "a".repeat(256)],
    ["ipAddress", "10.0.0.256"],
    ["ipAddress", "localhost"],
    ["paymentType", "PULL"],
    ["amount.total", -0.01],
    ["amount.total", 1_000_000_000_000],
    ["amount.currency", "usd"],
    ["sender.firstName", ""],
    ["sender.address", undefined],
    ["fxId", ""],
    ["dynamicDescriptor", 7],
    ["additionalData", "none"],
  ])("refuses %s = %j", (path, value) => {
    expect(checkPush(changed(valid, path, value))).toEqual([path]);
  });
});
