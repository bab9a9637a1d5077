import { parseJsonObject } from "../kernel/json";
import { makeSchemaChecker } from "./schema-checker";

/** Makes a checker of one schema with the given properties. */
function checkerOf(properties: object) {
  const documentJson = Buffer.from(JSON.stringify({ type: "object", properties }));
  return makeSchemaChecker({
    listSchemas: () => Promise.resolve({ schemas: [{ name: "AAA", version: "1.0.0" }] }),
    getSchema: () => Promise.resolve({ documentJson }),
  });
}

describe("a violation of a form", () => {
  const date = { type: "string", description: "YYYY-MM-DD", format: "date", pattern: "^\\d{4}-\\d\\d-\\d\\d$" };
  const checker = checkerOf({
    plain: { type: "string", pattern: "^\\d{8}$" },
    described: { type: "string", description: "Account, 8 digits", pattern: "^\\d{8}$" },
    born: { type: "object", properties: { date } },
    address: { type: "string", format: "ipv4" },
    either: { type: "string", description: "IPv4 or IPv6", anyOf: [{ format: "ipv4" }, { format: "ipv6" }] },
  });
  const violations = (body: object) => checker.check("AAA", parseJsonObject(JSON.stringify(body)).value);

  it("is reported with its description, and with the pattern only without one", async () => {
    expect(await violations({ plain: "x", described: "x", address: "x", either: "x" })).toEqual([
      { field: "plain", message: "must have the form: ^\\d{8}$" },
      { field: "described", message: "must have the form: Account, 8 digits" },
      { field: "address", message: "must have the form: ipv4" },
      { field: "either", message: "must have the form: IPv4 or IPv6" },
    ]);
  });

  it("is reported once where pattern and format both fail, and for a day that does not exist", async () => {
    for (const wrong of ["15.04.1990", "2026-02-30", "2023-02-29"]) {
      expect(await violations({ born: { date: wrong } })).toEqual([
        { field: "born.date", message: "must have the form: YYYY-MM-DD" },
      ]);
    }
    expect(await violations({ born: { date: "2024-02-29" } })).toEqual([]);
  });
});
