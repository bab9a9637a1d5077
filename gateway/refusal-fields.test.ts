import { DomainError, invalid } from "../services/shared/kernel/errors";
import { refusalFields } from "./refusal-fields";

const failed = (...fields: string[]) => invalid(fields.map((field) => ({ field, message: "is wrong" })));

describe("refusalFields", () => {
  it("says code and fields", () => {
    expect(refusalFields(failed("amount.total", "recipient.documents.0.type", "If-Match"))).toEqual({
      code: "VE_001",
      fields: ["amount.total", "recipient.documents.0.type", "If-Match"],
    });
    expect(refusalFields(new DomainError("NO_ROUTE", "no route"))).toEqual({ code: "PAY_001" });
    expect(refusalFields(undefined)).toEqual({});
  });

  it("shows no member that a caller has named with what is no word", () => {
    expect(
      refusalFields(failed("metadata.4111111111111111", "metadata.Ada Lovelace", "metadata.a@b.c")).fields,
    ).toEqual(["metadata.*", "metadata.*", "metadata.*.c"]);
  });

  it("names ten fields at most", () => {
    expect(refusalFields(failed(...Array.from({ length: 30 }, () => "field"))).fields).toHaveLength(10);
  });
});
