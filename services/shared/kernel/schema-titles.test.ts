import { fieldTitle, withTitles } from "./schema-titles";

describe("the title of a field", () => {
  it.each([
    ["firstName", "First name"],
    ["accountTokenId", "Account token ID"],
    ["zipCode", "Postal code"],
    ["ipAddress", "IP address"],
    ["x-request-id", "X request ID"],
    ["client_secret", "Client secret"],
  ])("is made from the words of %s: %s", (name, title) => {
    expect(fieldTitle(name)).toBe(title);
  });
});

describe("a schema with titles", () => {
  const text = { type: "string" };

  it("names every value that it describes, and keeps the titles that it has", () => {
    const schema = {
      type: "object",
      properties: {
        lastName: text,
        documents: { type: "array", items: { type: "object", properties: { countryCode: text } } },
        amount: { title: "Money", ...text },
        sender: { $ref: "#/components/schemas/Sender" },
      },
      additionalProperties: text,
    };

    expect(withTitles(schema, "Push payment")).toEqual({
      title: "Push payment",
      type: "object",
      properties: {
        lastName: { title: "Last name", ...text },
        documents: {
          title: "Documents",
          type: "array",
          items: { title: "Document", type: "object", properties: { countryCode: { title: "Country", ...text } } },
        },
        amount: { title: "Money", ...text },
        sender: { $ref: "#/components/schemas/Sender" },
      },
      additionalProperties: { title: "Further field", ...text },
    });
  });

  it("leaves conditions as they are, and names what their consequences describe", () => {
    const ruleWith = (key: object) =>
      `{"allOf": [{"if": {"properties": {"type": {"const": "PIX"}}}, "then": {"properties": {"key": ${JSON.stringify(key)}}}}]}`;
    const parse = (json: string) => JSON.parse(json) as Record<string, unknown>;

    expect(withTitles(parse(ruleWith(text)), "Method")).toEqual({
      title: "Method",
      ...parse(ruleWith({ title: "Key", ...text })),
    });
  });
});
