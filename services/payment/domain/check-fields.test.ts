import { linkViolations } from "./account-check";
import { evaluateFields } from "./check-fields";

describe("evaluateFields", () => {
  it.each(["", " ", "x".repeat(256), "4111111111111111", "a\u0000b"])("refuses the text %p", (text) => {
    const fields = evaluateFields();
    fields.text("a", text);

    expect(fields.violations).toMatchObject([{ field: "a" }]);
  });

  it("takes a text of 255 characters, and an optional one that is empty", () => {
    const fields = evaluateFields();
    fields.text("a", "x".repeat(255));
    fields.optionalText("b", "");

    expect(fields.violations).toEqual([]);
  });
});

describe("linkViolations", () => {
  const fieldsOf = (phoneNumber: string, androidPackageName = ""): string[] =>
    linkViolations({ phoneNumber, androidPackageName }).map(({ field }) => field);

  it("takes E.164 and an Android package", () => {
    expect(fieldsOf("+4915112345678", "com.example.app")).toEqual([]);
    expect(fieldsOf("+14155550123")).toEqual([]);
  });

  it.each(["", "14155550123", "+0415555", "+1415555012345678", "+1 415 555", "+1415x"])("refuses %p", (phoneNumber) => {
    expect(fieldsOf(phoneNumber)).toEqual(["phoneNumber"]);
  });

  it.each(["app", "com..app", "com.1app", "com.app;"])("refuses the package %p", (androidPackageName) => {
    expect(fieldsOf("+14155550123", androidPackageName)).toEqual(["androidPackageName"]);
  });
});
