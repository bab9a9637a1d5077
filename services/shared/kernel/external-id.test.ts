import { externalIdSchema, isExternalId } from "./external-id";

const bySchema = (text: string): boolean =>
  text.length <= externalIdSchema.maxLength && new RegExp(externalIdSchema.pattern, "u").test(text);

describe("isExternalId", () => {
  it.each(["a", "order-1", "...", ".a", "..a", "a..", "-", "A.b_C:d-1", "a".repeat(255), ".".repeat(255)])(
    "takes %s, and so does the schema",
    (text) => {
      expect([isExternalId(text), bySchema(text)]).toEqual([true, true]);
    },
  );

  it.each(["", ".", "..", "a b", "a/b", "a%2e", "ä", "a\n", "a".repeat(256), ".".repeat(256)])(
    "refuses '%s', and so does the schema",
    (text) => {
      expect([isExternalId(text), bySchema(text)]).toEqual([false, false]);
    },
  );

  it.each([undefined, null, 1, {}, ["a"]])("refuses what is no text: %p", (value) => {
    expect(isExternalId(value)).toBe(false);
  });
});
