import { DomainError } from "../kernel/errors";
import { checkRequest } from "./rpc-request-check";

function fieldsOf(request: unknown, path = "/corridor.fx.v1.FxService/GetQuote"): string[] {
  try {
    checkRequest(path, request);
    return [];
  } catch (error) {
    return error instanceof DomainError ? error.violations.map(({ field }) => field) : ["another error"];
  }
}

describe("checkRequest", () => {
  it.each<[string, unknown, string[]]>([
    ["what names no tenant", { kind: "PERSON" }, []],
    ["an optional tenant that is absent", { tenant: undefined }, []],
    ["bytes, whatever they are", { bodyJson: Buffer.from([0, 1]), more: new Uint8Array(3) }, []],
    ["an amount of a known currency", { amount: { amountMinor: -5n, currency: "BRL" } }, []],
    ["the last second of the year 9999", { at: new Date("9999-12-31T23:59:59Z") }, []],
    ["a choice", { piece: { $case: "content", value: Buffer.alloc(2) } }, []],
    ["an empty tenant", { tenant: "" }, ["tenant"]],
    ["an empty currency", { amount: { amountMinor: 1n, currency: "" } }, ["amount.currency"]],
    ["an unknown currency", { legs: [{ amountMinor: 1n, currency: "QQQ" }] }, ["legs.0.currency"]],
    ["a time that is none", { entries: [{ at: new Date(Number.NaN) }] }, ["entries.0.at"]],
    ["a time that is too late", { at: new Date("+010000-01-01T00:00:00Z") }, ["at"]],
    ["a number that no store holds", { after: 2n ** 63n, wanted: Number.NaN }, ["after", "wanted"]],
  ])("checks %s", (_case, request, fields) => {
    expect(fieldsOf(request)).toEqual(fields);
  });

  it("lets a method say that its request may concern no tenant", () => {
    expect(fieldsOf({ tenant: "" }, "/corridor.payment.v1.CaseService/OpenCase")).toEqual([]);
  });
});
