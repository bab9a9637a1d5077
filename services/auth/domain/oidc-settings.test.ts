import { parseOidcSettings } from "./oidc-settings";

const provider = {
  issuer: "https://id.example",
  clientId: "console",
  audience: "corridor",
  redirectUris: ["https://console.example/callback", "http://127.0.0.1/callback"],
  secondFactor: { amr: ["otp"] },
};
const problemsOf = (changes: object, env: "local" | "production" = "production") =>
  parseOidcSettings(JSON.stringify({ operators: { ...provider, ...changes } }), env).problems;

describe("parseOidcSettings", () => {
  it("reads one provider or two", () => {
    const { value } = parseOidcSettings(JSON.stringify({ tenants: provider }), "production");
    expect(value).toEqual({
      operators: undefined,
      tenants: {
        ...provider,
        clientSecret: undefined,
        otherClients: [],
        rolesClaim: "groups",
        secondFactor: { amr: ["otp"], acr: [] },
      },
    });
  });

  it.each<[string, object]>([
    ["issuer", { issuer: "http://id.example" }],
    ["issuer", { issuer: undefined }],
    ["clientId", { clientId: "" }],
    ["audience", { audience: "console" }],
    ["redirectUris", { redirectUris: [] }],
    ["redirectUris", { redirectUris: ["http://console.example/callback"] }],
    ["redirectUris", { redirectUris: ["https://me@console.example/"] }],
    ["secondFactor", { secondFactor: undefined }],
    ["secondFactor", { secondFactor: {} }],
    ["secondFactor", { secondFactor: { amr: [], acr: [] } }],
    ["secondFactor", { secondFactor: { mfa: ["otp"] } }],
    ["scopes", { scopes: "openid" }],
  ])("refuses a wrong %s in production: %j", (member, changes) => {
    expect(problemsOf(changes)).toEqual([expect.stringMatching(`^operators\\.${member} `)]);
  });

  it("takes plain http and one factor in the local profile alone", () => {
    expect(problemsOf({ issuer: "http://127.0.0.1:1/oidc", secondFactor: undefined }, "local")).toBeUndefined();
  });

  it.each(["", "[]", "{", "{}", '{"operator":{}}'])("refuses %s", (text) => {
    expect(parseOidcSettings(text, "local").problems).not.toBeUndefined();
  });
});
