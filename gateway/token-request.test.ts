import { parseTokenRequest } from "./token-request";

/** The refusal that `work` throws. */
function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const request = (body: string, authorization?: string, query = "") => ({
  headers: authorization === undefined ? {} : { authorization },
  query,
  body: Buffer.from(body),
});
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;
const grant = "grant_type=client_credentials";

describe("parseTokenRequest", () => {
  it("reads what is form-encoded, and ignores parameters that it does not know", () => {
    const read = parseTokenRequest(request(`${grant}&client_id=a%20b&client_secret=c%3D=d&audience=x&&`));

    expect(read).toEqual({ clientId: "a b", clientSecret: "c==d" });
  });

  it("takes an empty scope for none", () => {
    expect(parseTokenRequest(request(`${grant}&scope=`, basic("i:s")))).toEqual({ clientId: "i", clientSecret: "s" });
  });

  it("splits Basic at the first colon", () => {
    expect(parseTokenRequest(request(grant, basic("i:s:t")))).toEqual({ clientId: "i", clientSecret: "s:t" });
  });

  it.each([
    ["a parameter twice", `${grant}&${grant}&client_id=i&client_secret=s`, undefined, ""],
    ["an unknown parameter twice", `${grant}&x=1&x=2&client_id=i&client_secret=s`, undefined, ""],
    ["an empty parameter twice", `${grant}&scope=&scope=a&client_id=i&client_secret=s`, undefined, ""],
    ["both ways", `${grant}&client_id=i&client_secret=s`, basic("i:s"), ""],
    ["a query", `${grant}&client_id=i&client_secret=s`, undefined, "a=1"],
    ["a control character", `${grant}&client_id=i\n&client_secret=s`, undefined, ""],
  ])("refuses %s", (_name, body, authorization, query) => {
    expect(refusalOf(() => parseTokenRequest(request(body, authorization, query)))).toMatchObject({
      reason: "OAUTH_INVALID_REQUEST",
    });
  });

  it.each([basic("no-colon"), basic("%zz:s"), "Basic !!", "Digest x", ""])(
    "refuses the authorization '%s'",
    (value) => {
      expect(refusalOf(() => parseTokenRequest(request(grant, value)))).toMatchObject({
        reason: "OAUTH_INVALID_CLIENT",
      });
    },
  );
});
