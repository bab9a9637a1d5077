import { type Scope, scopes } from "../../shared/kernel/scopes";
import { grantScopes } from "./scope";

describe("grantScopes", () => {
  const owned: Scope[] = ["payments", "fx", "sessions"];

  it("grants all owned scopes when none is requested", () => {
    expect(grantScopes(owned, undefined)).toEqual(owned);
    expect(grantScopes(scopes, undefined)).toEqual(scopes);
  });

  it("grants each requested scope once, in the listed order", () => {
    expect(grantScopes(owned, "fx payments fx")).toEqual(["payments", "fx"]);
  });

  it.each(["", " ", "admin", "payments admin", "banks", "payments  fx", "Payments", "payments,fx"])(
    "refuses '%s'",
    (requested) => {
      expect(() => grantScopes(owned, requested)).toThrow("scope contains a value");
    },
  );
});
