import fc from "fast-check";
import type { JsonValue } from "../../services/shared/kernel/json";
import { bodyReader } from "./compile";
import { currency, externalId } from "./parts";
import type { BodySchema, ObjectSchema, Schema } from "./schema";

const text = { type: "string", description: "A text.", minLength: 1, maxLength: 5 } as const satisfies Schema;

const read = (schema: BodySchema, body: unknown) =>
  bodyReader(schema)(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));
const refused = (schema: BodySchema, body: unknown): Record<string, string> =>
  Object.fromEntries((read(schema, body).violations ?? []).map(({ field, message }) => [field, message]));

const object = (properties: ObjectSchema["properties"], rest: Partial<ObjectSchema> = {}): ObjectSchema => ({
  type: "object",
  description: "An object.",
  ...(properties === undefined ? {} : { properties }),
  additionalProperties: false,
  ...rest,
});

describe("bodyReader", () => {
  const amount = object(
    { total: { type: "number", description: "Total.", maximum: 999_999_999_999, exactDecimal: "currency" }, currency },
    { required: ["total", "currency"] },
  );
  const order = object(
    {
      id: externalId,
      amount,
      lines: {
        type: "array",
        description: "Lines.",
        maxItems: 2,
        items: object({ name: text, isGift: { type: "boolean", description: "Wrapped." } }, { required: ["name"] }),
      },
      size: { type: "integer", description: "Size.", minimum: 1, maximum: 9 },
      state: { type: "string", description: "State.", enum: ["OPEN", "CLOSED"] },
      metadata: { type: "object", description: "The caller's own." },
    },
    { required: ["id", "amount"] },
  );
  const good = { id: "a", amount: { total: 1, currency: "USD" } };

  it("reads what callers name themselves by the one rule that all of it has", () => {
    const amounts: ObjectSchema = { type: "object", description: "Amounts by name.", additionalProperties: amount };
    const exact = { total: 0.1, currency: "USD" };

    expect(read(object({ amounts }), { amounts: { rent: exact } }).violations).toBeUndefined();
    expect(refused(object({ amounts }), { amounts: { rent: exact, heat: { total: 0.125, currency: "USD" } } })).toEqual(
      {
        "amounts.heat.total": "must have at most 2 decimals",
      },
    );
  });

  it("names every field that is wrong, in the order of the schema, and its rule", () => {
    const wrong = {
      state: "open",
      size: 10,
      lines: [{ isGift: 1 }, { name: "" }, { name: "abcdef" }],
      amount: { total: "1", currency: "usd" },
      id: "a b",
    };

    expect(Object.entries(refused(order, wrong))).toEqual([
      ["id", "must be 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-', and not '.' or '..'"],
      ["amount.total", "must be a number"],
      ["amount.currency", "must be an ISO 4217 currency, three capital letters"],
      ["lines", "must have at most 2 elements"],
      ["lines.0.name", "is required and must be a string"],
      ["lines.0.isGift", "must be true or false"],
      ["lines.1.name", "must not be empty"],
      ["lines.2.name", "must have at most 5 characters"],
      ["size", "must be a whole number from 1 to 9"],
      ["state", "must be one of OPEN, CLOSED"],
    ]);
  });

  it("names a missing object and none of its parts", () => {
    expect(refused(order, {})).toEqual({ id: "is required and must be a string", amount: "is required" });
    expect(refused(order, [])).toEqual({ body: "must be a JSON object" });
    expect(refused(order, { ...good, amount: null })).toEqual({ amount: "must be an object" });
  });

  it("refuses what it does not know, at any depth, and says which name was meant", () => {
    const body = { ...good, metdata: {}, other: 1, amount: { total: 1, currency: "USD", Total: 2 } };

    expect(refused(order, body)).toEqual({
      "amount.Total": "is not known; did you mean total?",
      metdata: "is not known; did you mean metadata?",
      other: "is not known",
    });
    expect(refused(order, { ...good, metadata: { any: { thing: 1 } } })).toEqual({});
  });

  it("refuses a currency that there is not", () => {
    expect(refused(amount, '{"total":1,"currency":"QQQ"}')).toEqual({
      currency: "must be an ISO 4217 currency, three capital letters",
    });
  });

  it("names at most 100 fields", () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));

    expect(Object.keys(refused(order, body))).toHaveLength(100);
  });

  it("reads an amount by its own digits", () => {
    const { value } = read(amount, '{"total":10.10,"currency":"USD"}');

    expect(value).toEqual({ total: { digits: 101n, scale: 1 }, currency: "USD" });
  });

  it.each([
    ["0.001", "USD", "must have at most 2 decimals"],
    ["1.5", "JPY", "must have at most 0 decimals"],
    ["-1", "USD", "must be a plain decimal number from 0 to 999999999999"],
    ["1e3", "USD", "must be a plain decimal number from 0 to 999999999999"],
    ["999999999999.01", "USD", "must be a plain decimal number from 0 to 999999999999"],
  ])("refuses a total of %s %s", (total, code, message) => {
    expect(refused(amount, `{"total":${total},"currency":"${code}"}`)).toEqual({ total: message });
  });

  it("allows what callers compute with floats 17 significant digits, and a text where the schema does", () => {
    const rate = { type: "number", description: "Rate.", exactDecimal: "float" } as const;
    const quoted = { type: ["number", "string"], description: "Amount.", exactDecimal: "plain" } as const;
    const either = object({ exchangeRate: rate, sourceCurrencyAmount: quoted });

    expect(refused(either, '{"exchangeRate":5.1234567890123456}')).toEqual({});
    expect(refused(either, '{"exchangeRate":5.12345678901234567}')).toEqual({
      exchangeRate: "must have at most 17 significant digits",
    });
    expect(read(either, '{"sourceCurrencyAmount":"7.50"}').value).toEqual({
      sourceCurrencyAmount: { digits: 75n, scale: 1 },
    });
    expect(refused(either, '{"sourceCurrencyAmount":"+7"}')).toEqual({
      sourceCurrencyAmount: "must be a plain decimal number",
    });
  });

  it("fills in what has a value of its own", () => {
    const flags = object({ isBatch: { type: "boolean", description: "Batches.", default: false } });

    expect(read(flags, {}).value).toEqual({ isBatch: false });
  });
});

describe("a schema with variants", () => {
  const method = (type: string, name: string): ObjectSchema =>
    object({ type: { type: "string", description: "Tag.", const: type }, [name]: text }, { required: ["type", name] });
  const tagged: BodySchema = {
    type: "object",
    description: "A method.",
    discriminator: { propertyName: "type" },
    oneOf: [method("PIX", "key"), method("CARD", "token")],
  };
  const chosen: BodySchema = {
    type: "object",
    description: "Who is paid.",
    chosenBy: ["customer"],
    oneOf: [
      object({ firstName: text }, { required: ["firstName"] }),
      object({ customer: text }, { required: ["customer"] }),
    ],
  };

  it("is checked by the one that the tag names", () => {
    expect(refused(tagged, { type: "PIX", key: "a" })).toEqual({});
    expect(refused(tagged, { type: "CARD", key: "a" })).toEqual({
      key: "is not known",
      token: "is required and must be a string",
    });
  });

  it("is checked by the first where the tag is missing or unknown, so that nothing else is hidden", () => {
    expect(refused(tagged, { token: "a", kye: "b" })).toEqual({
      type: "is required and must be a string",
      key: "is required and must be a string",
      kye: "is not known; did you mean key?",
    });
    expect(refused(tagged, { type: "UPI", key: 7 })).toEqual({
      type: "must be one of PIX, CARD",
      key: "must be a string",
    });
  });

  it("is checked by the second where one of its own members is there", () => {
    expect(refused(chosen, { customer: 1 })).toEqual({ customer: "must be a string" });
    expect(refused(chosen, {})).toEqual({ firstName: "is required and must be a string" });
  });
});

/** A schema of the dialect, and values that it accepts. */
interface Sample {
  schema: Schema;
  accepted: fc.Arbitrary<JsonValue>;
}

interface BodySample extends Sample {
  schema: ObjectSchema;
}

const names = ["alpha", "bravo", "charlie", "delta"] as const;
const leaves: readonly Sample[] = [
  { schema: { type: "string", description: "A text.", maxLength: 9 }, accepted: fc.stringMatching(/^[a-z]{0,9}$/) },
  { schema: { type: "integer", description: "A number.", minimum: 0 }, accepted: fc.nat() },
  { schema: { type: "boolean", description: "A flag." }, accepted: fc.boolean() },
  { schema: { type: "string", description: "One of.", enum: ["A", "B"] }, accepted: fc.constantFrom("A", "B") },
  { schema: { type: ["string", "null"], description: "A text or null." }, accepted: fc.constantFrom(null, "x") },
  { schema: { type: "number", description: "Exact.", exactDecimal: "plain" }, accepted: fc.nat() },
];

const leaf = fc.constantFrom(...leaves);

const list = (item: Sample): Sample => ({
  schema: { type: "array", description: "A list.", items: item.schema, maxItems: 3 },
  accepted: fc.array(item.accepted, { maxLength: 3 }),
});

const record = (members: readonly Sample[], requiredCount: number): BodySample => {
  const named = members.map(({ schema, accepted }, index) => ({ name: names[index] ?? "echo", schema, accepted }));
  const required = named.slice(0, requiredCount).map(({ name }) => name);
  const model = Object.fromEntries(named.map(({ name, accepted }) => [name, accepted]));
  return {
    schema: object(Object.fromEntries(named.map(({ name, schema }) => [name, schema])), { required }),
    accepted: fc.record(model, { requiredKeys: required }),
  };
};

const anySample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie("any").map(list),
    fc.tuple(fc.array(tie("any"), { minLength: 1, maxLength: 4 }), fc.nat(4)).map(([all, count]) => record(all, count)),
  ),
})).any;

/** A body is an object. */
const bodySample = fc
  .array(anySample, { minLength: 1, maxLength: 4 })
  .chain((members) => fc.nat(4).map((count) => record(members, count)));

/** True if a value has the type that `Infer` derives from a schema. */
function isTyped(schema: Schema, value: unknown): boolean {
  if (value === null) return Array.isArray(schema.type) && schema.type.includes("null");
  if ("exactDecimal" in schema) return typeof Object(value).digits === "bigint";
  if ("enum" in schema && schema.enum !== undefined) return (schema.enum as readonly unknown[]).includes(value);
  if ("items" in schema) return Array.isArray(value) && value.every((item) => isTyped(schema.items, item));
  if ("properties" in schema) {
    const { properties = {}, required = [] } = schema;
    const isWhole = typeof value === "object" && required.every((name) => Object.hasOwn(Object(value), name));
    return isWhole && Object.entries(Object(value)).every(([name, member]) => hasType(properties[name], member));
  }
  const types = { string: "string", integer: "number", boolean: "boolean" } as const;
  return [schema.type].flat().some((type) => typeof value === types[type as keyof typeof types]);
}

const hasType = (schema: Schema | undefined, value: unknown): boolean => schema !== undefined && isTyped(schema, value);

describe("what a schema accepts", () => {
  it("has the type that is inferred of it, whatever is sent", () => {
    const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
    const sent = bodySample.chain(({ schema, accepted }) =>
      fc.record({ schema: fc.constant(schema), body: fc.oneof(accepted, anything) }),
    );
    let passed = 0;

    fc.assert(
      fc.property(sent, ({ schema, body }) => {
        const { value, violations } = read(schema, JSON.stringify(body));
        if (violations !== undefined) return violations.length > 0;
        passed += 1;
        return isTyped(schema, value);
      }),
      { numRuns: 300 },
    );
    expect(passed).toBeGreaterThan(50);
  });

  it("is everything that fits, and nothing with one member more", () => {
    const sent = bodySample.chain(({ schema, accepted }) => fc.record({ schema: fc.constant(schema), body: accepted }));

    fc.assert(
      fc.property(sent, ({ schema, body }) => {
        expect(read(schema, JSON.stringify(body)).violations).toBeUndefined();
        expect(refused(schema, { ...Object(body), foxtrot: 1 })).toEqual({ foxtrot: "is not known" });
      }),
      { numRuns: 300 },
    );
  });
});
