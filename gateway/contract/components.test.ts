import { makeComponents } from "./components";
import { currency } from "./parts";
import type { Schema } from "./schema";

const text = { type: "string", description: "A text." } as const satisfies Schema;
const card = {
  title: "CardMethod",
  type: "object",
  description: "A card.",
  properties: { type: { ...text, const: "CARD" } },
  required: ["type"],
} as const satisfies Schema;
const bank = { ...card, title: "BankMethod", properties: { type: { ...text, const: "BANK" } } } as const;
const method = {
  title: "Method",
  type: "object",
  description: "How it is paid.",
  discriminator: { propertyName: "type" },
  oneOf: [card, bank],
} as const satisfies Schema;

describe("makeComponents", () => {
  it("moves every schema with a title to a place of its own", () => {
    const components = makeComponents();
    const list = { type: "array", description: "Methods.", items: method } as const;

    expect(components.refer(list)).toEqual({
      type: "array",
      description: "Methods.",
      items: { $ref: "#/components/schemas/Method" },
    });
    expect(Object.keys(components.schemas()).toSorted()).toEqual(["BankMethod", "CardMethod", "Method"]);
  });

  it("says which variant each tag means, and nothing beside the variants", () => {
    const components = makeComponents();
    components.refer(method);

    expect(components.schemas()["Method"]).toEqual({
      title: "Method",
      description: "How it is paid.",
      oneOf: [{ $ref: "#/components/schemas/CardMethod" }, { $ref: "#/components/schemas/BankMethod" }],
      discriminator: {
        propertyName: "type",
        mapping: { CARD: "#/components/schemas/CardMethod", BANK: "#/components/schemas/BankMethod" },
      },
    });
    expect(components.schemas()["CardMethod"]?.["properties"]).toEqual({
      type: { type: "string", description: "A text.", enum: ["CARD"] },
    });
  });

  it("leaves out the keywords that only check", () => {
    const amount = { type: "number", description: "An amount.", exactDecimal: "plain", rule: "must be one" } as const;

    expect(makeComponents().refer(amount)).toEqual({ type: "number", description: "An amount." });
    expect(makeComponents().refer(currency)).not.toHaveProperty("rule");
  });

  it("leaves a schema of the table's older rows as it is", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

    expect(makeComponents().refer(schema)).toEqual(schema);
  });

  it("refuses two schemas of one title", () => {
    const components = makeComponents();
    components.refer(card);

    expect(() => components.refer({ ...bank, title: "CardMethod" })).toThrow("two schemas have the title CardMethod");
    expect(() => components.refer(card)).not.toThrow();
  });
});
