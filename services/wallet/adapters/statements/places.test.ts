import { statementPlaces } from "./places";
import { parseTokens, tokenOf } from "./tokens";

const place = { kind: "rail", providers: ["pix", "upi"], form: "pages", url: "https://bank.example/{provider}" };

describe("where statements come from", () => {
  it("is a list of providers that share an address by name", () => {
    const acquirer = { kind: "acquirer", providers: ["acquirer"], form: "files", url: "http://cards.example/files" };

    expect(statementPlaces(JSON.stringify([place, acquirer]))).toEqual({
      value: [
        { provider: "pix", kind: "rail", form: "pages", url: "https://bank.example/pix" },
        { provider: "upi", kind: "rail", form: "pages", url: "https://bank.example/upi" },
        { provider: "acquirer", kind: "acquirer", form: "files", url: "http://cards.example/files" },
      ],
    });
  });

  it.each<[string, unknown]>([
    ["no list", place],
    ["nothing", []],
    ["an unknown kind", [{ ...place, kind: "bank" }]],
    ["an unknown form", [{ ...place, form: "mail" }]],
    ["no provider", [{ ...place, providers: [] }]],
    ["a name that is no provider's", [{ ...place, providers: ["pix", "PIX rail"] }]],
    ["one provider twice", [place, { ...place, providers: ["upi"] }]],
    ["several providers at one address", [{ ...place, url: "https://bank.example/" }]],
    ["another scheme", [{ ...place, url: "ftp://bank.example/{provider}" }]],
    ["an unknown member", [{ ...place, tokenFile: "/etc/token" }]],
  ])("is refused as %s", (_case, value) => {
    expect(statementPlaces(JSON.stringify(value))).toEqual({ problem: expect.stringContaining("must be a JSON list") });
  });
});

describe("what is presented there", () => {
  it("is the line of the provider, or the one for all others", () => {
    const tokens = parseTokens("pix=one\n*=two==\n") ?? new Map();

    expect(["pix", "upi"].map((provider) => tokenOf(tokens, provider))).toEqual(["one", "two=="]);
    expect(tokenOf(new Map([["pix", "one"]]), "upi")).toBeUndefined();
  });

  it.each(["", "pix", "pix=", "pix=a b", "pix=a\npix=b", "=a"])("is refused as %j", (text) => {
    expect(parseTokens(text)).toBeUndefined();
  });
});
