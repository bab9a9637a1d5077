import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import corridor from "../../../test/data/corridors/BRA.json";
import { parseJsonObject } from "../../shared/json";
import { parseCorridorPack } from "./corridor-pack";
import { countrySchema } from "./country-schema";
import { pushSchema } from "./push-schema";

type Json = Record<string, unknown>;

const brazil = countrySchema(parseCorridorPack(readFileSync("services/schema/packs/BRA.json", "utf8"), "BRA.json"));

/** Compiles as the platform does and answers the dotted paths of all failed fields. */
function checker(document: Uint8Array): (payload: Json) => string[] {
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, keywords: ["version"] });
  addFormats(ajv);
  const validate = ajv.compile(parseJsonObject(Buffer.from(document).toString()).value);
  return (payload) => (validate(payload) ? [] : [...new Set((validate.errors ?? []).flatMap(failedField))]);
}

/** An if without its then, or an anyOf, adds an error of its own to those that say why. */
function failedField({ keyword, instancePath, params }: ErrorObject): string[] {
  if (keyword === "if" || keyword === "anyOf") return [];
  const missing: unknown = params["missingProperty"];
  return [[...instancePath.split("/").slice(1), ...(typeof missing === "string" ? [missing] : [])].join(".")];
}

/** The payload with the value at a dotted path replaced, or deleted when there is none. */
function changed(payload: Json, path: string, value?: unknown): Json {
  const copy = structuredClone(payload);
  const segments = path.split(".");
  const last = segments.pop() ?? "";
  let parent: Json = copy;
  for (const segment of segments) parent = parent[segment] as Json;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

interface Variant {
  name: string;
  set?: Json;
  remove?: string[];
}

const applied = ({ set = {}, remove = [] }: Variant): Json => {
  const replaced = Object.entries(set).reduce((payload, [path, value]) => changed(payload, path, value), valid);
  return remove.reduce((payload, path) => changed(payload, path), replaced);
};

const valid: Json = corridor.valid;
const alsoValid: Variant[] = corridor.alsoValid;
const invalid: (Variant & { expectField: string })[] = corridor.invalid;
const pix = (key: string, keyType: string) =>
  changed(valid, "recipient.paymentMethod", { type: "PIX", countryCode: "BRA", key, keyType });

describe("the schema of Brazil", () => {
  const check = checker(brazil.bytes);

  it("has the keys of a country schema", () => {
    const { value } = parseJsonObject(brazil.bytes.toString());

    expect(Object.keys(value)).toEqual([
      "$schema",
      "title",
      "version",
      "description",
      "type",
      "required",
      "properties",
    ]);
    expect(value["version"]).toBe(brazil.version);
    expect(Object.keys(value["properties"] ?? {})).toEqual(["recipient", "recipientAmount", "additionalData"]);
  });

  it("accepts the sample payment", () => {
    expect(check(valid)).toEqual([]);
  });

  it.each(alsoValid)("accepts: $name", (variant) => {
    expect(check(applied(variant))).toEqual([]);
  });

  it.each(invalid)("refuses: $name", (variant) => {
    expect(check(applied(variant))).toEqual([variant.expectField]);
  });

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
  const check = checker(pushSchema.bytes);

  it("accepts the sample payment, over IPv6 too", () => {
    expect(check(valid)).toEqual([]);
    expect(check(changed(valid, "ipAddress", "2001:db8::1"))).toEqual([]);
    expect(check(changed(valid, "sender.address", {}))).toEqual([]);
  });

  it("names every missing field at once", () => {
    expect(check({}).toSorted()).toEqual([
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
    expect(check(changed(valid, path, value))).toEqual([path]);
  });
});
