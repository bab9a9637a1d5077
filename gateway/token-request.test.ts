import { parseTokenRequest } from "./token-request";

/** Returns the refusal that `work` throws. */
function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const peer = { address: "203.0.113.7", certificate: undefined };
const request = (body: string, authorization?: string) => ({
  headers: authorization === undefined ? {} : { authorization },
  body: Buffer.from(body),
  peer,
});
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;
const grant = "grant_type=client_credentials";

describe("parseTokenRequest", () => {
  it("reads what is form-encoded, and ignores parameters that it does not know", () => {
    const read = parseTokenRequest(request(`${grant}&client_id=a%20b&client_secret=c%3D=d&audience=x&&`));

    expect(read).toEqual({ clientId: "a b", clientSecret: "c==d", ...peer });
  });

  it("takes an empty scope for none", () => {
    const read = parseTokenRequest(request(`${grant}&scope=`, basic("i:s")));

    expect(read).toEqual({ clientId: "i", clientSecret: "s", ...peer });
  });

  it("splits Basic at the first colon", () => {
    expect(parseTokenRequest(request(grant, basic("i:s:t")))).toMatchObject({ clientId: "i", clientSecret: "s:t" });
  });

  it.each([
    ["a parameter twice", `${grant}&${grant}&client_id=i&client_secret=s`, undefined],
    ["an unknown parameter twice", `${grant}&x=1&x=2&client_id=i&client_secret=s`, undefined],
    ["an empty parameter twice", `${grant}&scope=&scope=a&client_id=i&client_secret=s`, undefined],
    ["both ways", `${grant}&client_id=i&client_secret=s`, basic("i:s")],
    [
      "thousands of marks on one letter",
      `${grant}&client_id=${"%CC%81%CC%96".repeat(5_000)}&client_secret=s`,
      undefined,
    ],
    ["a control character", `${grant}&client_id=i\n&client_secret=s`, undefined],
  ])("refuses %s", (_name, body, authorization) => {
    expect(refusalOf(() => parseTokenRequest(request(body, authorization)))).toMatchObject({
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
