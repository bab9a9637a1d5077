import { Ajv2020 } from "ajv/dist/2020";
import { customer, customerAddress, familyName, givenName } from "../../gateway/contract/payment-party";
import { makeOpenApi } from "../../gateway/openapi";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import { countrySchema } from "../../services/schema/domain/country-schema";
import { customerSchema } from "../../services/schema/domain/customer-schema";
import { personSchema } from "../../services/schema/domain/person-schema";
import { pullSchema } from "../../services/schema/domain/pull-schema";
import { pushSchema } from "../../services/schema/domain/push-schema";
import { uncalledOperatorTable, uncalledTable } from "../support/declared-access";

type Schema = Readonly<Record<string, unknown>>;

const documents = [makeOpenApi(uncalledTable), makeOpenApi(uncalledOperatorTable)];

/** Every value of a keyword `pattern`, at any depth. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === "pattern" && typeof child === "string" ? [child] : patternsIn(child),
  );
}

const memberOf = (schema: unknown, name: string): Schema => {
  const found: unknown = Reflect.get(Object(Reflect.get(Object(schema) as object, "properties")) as object, name);
  if (typeof found !== "object" || found === null) throw new Error(`there is no member ${name}`);
  return found as Schema;
};

/** The same schema without what only our own reader knows. */
const standardPart = ({ isA: _isA, rule: _rule, ...schema }: Schema): Schema => schema;

/** Texts of which each form takes some and refuses others. */
const samples = [
  ["", " ", "a", "é", "Ana Souza", "12a45", "USA", "BR", "br"],
  ["1234", "12345", "123456", "1234567", "1".repeat(15), "1".repeat(16), "1".repeat(20), "1".repeat(21)],
  ["+123456", "+1234567", `+${"1".repeat(15)}`, `+${"1".repeat(16)}`, "++12345678", "1234 5678", "(305) 555-0100"],
  ["ana@example.com", "ana@", "@example.com", "ana@b@c", "an a@example.com", "PASSPORT", "Passport"],
].flat();

describe("the OpenAPI document and the served schema of customers", () => {
  const served: unknown = JSON.parse(customerSchema.bytes.toString());
  const ajv = new Ajv2020({ strict: false });
  const parties = ["sender", "recipient"].map((party) => memberOf(served, party));

  it.each([
    ["customer", customer],
    ["customerAddress", customerAddress],
  ])("accept the same texts in each member of %s", (part, shown) => {
    for (const party of parties) {
      for (const [name, schema] of Object.entries(shown.properties)) {
        const isServed = ajv.compile(memberOf(memberOf(party, part), name));
        const isShown = ajv.compile(standardPart(schema as unknown as Schema));
        const differing = samples.filter((text) => isServed(text) !== isShown(text));

        expect({ name, differing }).toEqual({ name, differing: [] });
      }
    }
  });
});

/** Every schema of a property, at any depth. */
function propertiesIn(value: unknown, name: string): Schema[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const own = key === "properties" ? Reflect.get(Object(child) as object, name) : undefined;
    return [...(own === undefined ? [] : [own as Schema]), ...propertiesIn(child, name)];
  });
}

describe("a name of a payment", () => {
  it("is as long in every served schema as acceptance takes it", async () => {
    const packs = await loadPacks();
    const served = [pushSchema, customerSchema, pullSchema, ...packs.map((pack) => countrySchema(pack))];
    const longest = { firstName: givenName.maxLength, lastName: familyName.maxLength };

    for (const { name, bytes } of served) {
      for (const [member, maxLength] of Object.entries(longest)) {
        const names = propertiesIn(JSON.parse(bytes.toString()), member).filter(({ type }) => type !== undefined);
        expect(names.length).toBeGreaterThan(0);
        expect([name, member, new Set(names.map((one) => one["maxLength"]))]).toEqual([
          name,
          member,
          new Set([maxLength]),
        ]);
      }
    }
  });
});

describe("a published pattern", () => {
  /** An IBAN of digits alone, which the contract writes so. Its check digits refuse the digits of other scripts. */
  const ibanOfDigits = /^\^[A-Z]{2}\\d\{\d+\}\$$/;
  /**
   * What the engines of other languages do not have or read otherwise: classes by property, lookaround, back references, names
   * and flags, and `\d`, which takes the digits of every script in some of them.
   */
  const isForeign = (pattern: string): boolean =>
    !ibanOfDigits.test(pattern) &&
    /\\[pPkuAzZbBdDwW1-9]|(?<!\\)\(\?[^:]|[*+?}]\+|(?<!\\)\[\^?[^\]\\]*(?:\\.[^\]\\]*)*\[/.test(pattern);

  it("is one that other engines can read, in both OpenAPI documents", () => {
    const patterns = [...new Set(patternsIn(documents))];

    expect(patterns.length).toBeGreaterThan(30);
    expect(patterns.filter(isForeign)).toEqual([]);
  });

  it("is one that other engines can read, in every served schema", async () => {
    const packs = await loadPacks();
    const served = [
      pushSchema,
      customerSchema,
      pullSchema,
      ...packs.flatMap((pack) => [countrySchema(pack), personSchema(pack)]),
    ];
    const patterns = [...new Set(served.flatMap(({ bytes }) => patternsIn(JSON.parse(bytes.toString()))))];

    expect(patterns.length).toBeGreaterThan(150);
    expect(patterns.filter(isForeign)).toEqual([]);
  });

  it.each([
    ["\\p{L}"],
    ["(?<=a)b"],
    ["(?=a)a"],
    ["(?!b)a"],
    ["(?<name>a)"],
    ["(?i)a"],
    ["(?i:a)"],
    ["(a)\\1"],
    ["\\u0041"],
    ["\\d{9}"],
    ["\\w"],
    ["a++"],
    ["[a[b]"],
  ])("would be refused here if it were %s", (pattern) => {
    expect(isForeign(pattern)).toBe(true);
  });
});

describe("the number of an uploaded document", () => {
  const upload = documents.flatMap((document) => {
    const schemas: unknown = Reflect.get(Object(Reflect.get(document, "components")) as object, "schemas");
    const schema: unknown = Reflect.get(Object(schemas) as object, "DocumentUpload");
    return schema === undefined ? [] : [memberOf(schema, "documentNumber")];
  });

  it.each([
    ["A-123", true],
    ["№ 7", true],
    ["身份证 12", true],
    ["(7)", true],
    ["[x]", true],
    ["7".repeat(64), true],
    ["7".repeat(65), false],
    ["", false],
    ["  ", false],
    ["-/._", false],
    ["[]{}~`^@", false],
    ["7\n", false],
    ["\u007f7", false],
    ["7\u0085", false],
  ])("%j is taken by its published form: %s", (text, isTaken) => {
    const [schema] = upload;

    expect(new Ajv2020({ strict: false }).validate(schema ?? false, text)).toBe(isTaken);
  });
});
