import { DomainError } from "../kernel/errors";
import { asRefusal } from "./rpc-errors";

const failure = (facts: object): Error => Object.assign(new Error("words of a driver"), facts);

describe("asRefusal", () => {
  it.each([
    ["a driver's word for a lost store", { name: "MongoNetworkError" }],
    ["a primary that steps down", { name: "MongoServerError", code: 189 }],
    ["a socket that the other side has ended", { code: "EPIPE" }],
    ["a connection that was reset", { code: "ECONNRESET" }],
  ])("calls %s an outage", (_case, facts) => {
    expect(asRefusal(failure(facts))).toMatchObject({ reason: "UNAVAILABLE", message: "a store does not answer" });
  });

  it.each([
    ["an unknown error", failure({})],
    ["an unexpected duplicate key", failure({ name: "MongoServerError", code: 11_000 })],
    ["something that is no error", { code: "EPIPE" }],
  ])("calls %s a bug, in words of its own", (_case, error) => {
    expect(asRefusal(error)).toMatchObject({ reason: "INTERNAL", message: "internal error" });
  });

  it("passes a refusal on as it is", () => {
    const refusal = new DomainError("NO_ROUTE", "no route on this corridor");

    expect(asRefusal(refusal)).toBe(refusal);
  });
});
