import { DomainError } from "../../shared/kernel/errors";
import { parseJsonObject } from "../../shared/kernel/json";
import { parseLinkRequest } from "./account-check";
import { readCheck } from "./check-fields";

describe("readCheck", () => {
  const failuresOf = (json: string, read: (fields: ReturnType<typeof readCheck>) => void) => {
    const fields = readCheck(parseJsonObject(json).value);
    read(fields);
    try {
      fields.finish();
      return [];
    } catch (error) {
      return error instanceof DomainError ? error.violations : [];
    }
  };

  it.each(["{}", '{"a":{}}', '{"a":{"b":null}}', '{"a":{"b":7}}', '{"a":{"b":""}}', '{"a":{"b":"  "}}', '{"a":[1]}'])(
    "asks for a text: %s",
    (json) => {
      expect(failuresOf(json, (fields) => fields.text("a.b"))).toMatchObject([{ field: "a.b" }]);
    },
  );

  it("takes an absent or empty optional text, and no other type", () => {
    expect(failuresOf('{"b":""}', (fields) => [fields.optionalText("a"), fields.optionalText("b")])).toEqual([]);
    expect(failuresOf('{"a":null}', (fields) => fields.optionalText("a"))).toMatchObject([{ field: "a" }]);
  });

  it("bounds every text", () => {
    const long = JSON.stringify({ a: "x".repeat(256), b: "x".repeat(255) });

    expect(failuresOf(long, (fields) => [fields.text("a"), fields.text("b")])).toMatchObject([{ field: "a" }]);
  });
});

describe("parseLinkRequest", () => {
  const parse = (body: object) => () => parseLinkRequest(parseJsonObject(JSON.stringify(body)).value);

  it("takes E.164 and an Android package", () => {
    const body = { phoneNumber: "+4915112345678", androidPackageName: "com.example.app" };

    expect(parse(body)()).toEqual(body);
    expect(parse({ phoneNumber: "+14155550123" })()).toEqual({ phoneNumber: "+14155550123" });
  });

  it.each(["", "14155550123", "+0415555", "+1415555012345678", "+1 415 555", "+1415x"])("refuses %p", (phoneNumber) => {
    expect(parse({ phoneNumber })).toThrow("phoneNumber");
  });

  it.each(["app", "com..app", "com.1app", "com.app;"])("refuses the package %p", (androidPackageName) => {
    expect(parse({ phoneNumber: "+14155550123", androidPackageName })).toThrow("androidPackageName");
  });
});
