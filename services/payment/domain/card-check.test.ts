import {
  type CardCheck,
  type CardReport,
  cardCheckAnswer,
  cardholderOf,
  isComparable,
  parseCardCheck,
} from "./card-check";

const check: CardCheck = {
  externalId: "check-1",
  ipAddress: "203.0.113.7",
  cardToken: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
  firstName: "Ada",
  lastName: "Lovelace",
  email: undefined,
  phoneNumber: undefined,
  address: {},
};
const high = { capable: true, highPerforming: true, lowPerforming: false };
const none = { capable: false, highPerforming: false, lowPerforming: false };
const report: CardReport = {
  status: "VERIFIED",
  redirectAcsUrl: "",
  scheme: "VISA",
  category: "CLASSIC",
  issuerName: "A Bank",
  issuerCountry: "US",
  bin: "411111",
  lastFour: "1111",
  avs: "APPROVED",
  cvc: "APPROVED",
  cardholderName: "APPROVED",
  oct: high,
  aft: none,
};
const createdAt = new Date("2026-01-02T03:04:05.678Z");
const answer = (changes: Partial<CardReport>, asked: Partial<CardCheck> = {}) =>
  JSON.parse(
    cardCheckAnswer({ ...check, ...asked }, { paymentId: "p-1", createdAt, report: { ...report, ...changes } }),
  );

describe("the answer to a card check", () => {
  it("is the verified shape", () => {
    expect(answer({})).toEqual({
      card: {
        created: "2026-01-02 03:04:05",
        issuerName: "A Bank",
        issuerCountry: "US",
        bin: "411111",
        lastFour: "1111",
      },
      verificationResults: { avs: "APPROVED", cvc: "APPROVED", aavCardholderName: "APPROVED" },
      octStatus: high,
      aftStatus: none,
      redirectAcsUrl: "",
    });
  });

  it.each(["", "NA", "N/A", "n/a", " "])("turns the result %p into NOT_SUPPORTED", (avs) => {
    expect(answer({ avs, cvc: avs, cardholderName: avs }).verificationResults).toEqual({
      avs: "NOT_SUPPORTED",
      cvc: "NOT_SUPPORTED",
      aavCardholderName: "NOT_SUPPORTED",
    });
  });

  it("keeps an issuer's own words", () => {
    expect(answer({ avs: "Street matches, postal code does not" }).verificationResults.avs).toMatch(/^Street/);
  });

  it("leaves out what nobody knows", () => {
    const { card } = answer({ issuerName: "", issuerCountry: "" });

    expect(Object.keys(card)).toEqual(["created", "bin", "lastFour"]);
  });

  it.each(["MASTERCARD", "AMEX", ""])("evaluates nothing on the network %p", (scheme) => {
    const { verificationResults, octStatus, aftStatus } = answer({ scheme, oct: high, aft: high });

    expect(verificationResults).toMatchObject({ avs: "APPROVED", aavCardholderName: "NOT_SUPPORTED" });
    expect([octStatus, aftStatus]).toEqual([none, none]);
  });

  it.each(["BUSINESS", "CORPORATE", "PREPAID", "Prepaid non-reloadable"])(
    "compares no name on a %s card",
    (category) => {
      expect(answer({ category }).verificationResults.aavCardholderName).toBe("NOT_SUPPORTED");
    },
  );

  it.each<[Partial<CardCheck>, string]>([
    [{ firstName: "é".repeat(35) }, "APPROVED"],
    [{ firstName: "é".repeat(36) }, "NOT_SUPPORTED"],
    [{ lastName: "x".repeat(36) }, "NOT_SUPPORTED"],
    [{ firstName: `Dr ${"x".repeat(35)}` }, "APPROVED"],
    [{ lastName: `${"x".repeat(35)}, Jr.` }, "APPROVED"],
    [{ firstName: "😀".repeat(35) }, "APPROVED"],
  ])("compares up to 35 characters: %#", (asked, expected) => {
    expect(answer({}, asked).verificationResults.aavCardholderName).toBe(expected);
  });

  it("has no verdict while the cardholder is asked", () => {
    expect(answer({ status: "CHALLENGE", redirectAcsUrl: "https://acs.example/1" })).toMatchObject({
      verificationResults: { avs: "NOT_SUPPORTED", cvc: "NOT_SUPPORTED", aavCardholderName: "NOT_SUPPORTED" },
      octStatus: none,
      aftStatus: none,
      redirectAcsUrl: "https://acs.example/1",
    });
  });

  it("declines with the caller's own id and without results of its own", () => {
    const declined = answer({ status: "DECLINED", avs: "", cvc: "N/A", cardholderName: "" }, { externalId: "mine" });

    expect(declined).toMatchObject({
      paymentId: "p-1",
      externalPaymentId: "mine",
      amount: 0,
      status: "DECLINED",
      responseCode: "PAY_022",
      avsResult: "N/A",
      cvcResult: "N/A",
      aavCardholderNameResult: "N/A",
    });
    expect(declined.verificationResults).toBeUndefined();
  });
});

describe("cardholderOf", () => {
  it.each([
    ["Mr. Dr John", "Smith Jr.", "John", "Smith"],
    ["Mrs Ada", "King III", "Ada", "King"],
    ["Drew", "Srinivasan", "Drew", "Srinivasan"],
    ["Dr", "Jr", "Dr", "Jr"],
  ])("reads %s %s as %s %s", (firstName, lastName, first, last) => {
    expect(cardholderOf({ firstName, lastName, address: {} })).toEqual({
      firstName: first,
      lastName: last,
      address: {},
    });
  });

  it("says what can be compared", () => {
    expect(isComparable({ firstName: "a".repeat(35), lastName: "b".repeat(35), address: {} })).toBe(true);
    expect(isComparable({ firstName: "a", lastName: "b".repeat(36), address: {} })).toBe(false);
  });
});

describe("parseCardCheck", () => {
  const body = (ipAddress: string) => ({
    externalPaymentId: "check-1",
    ipAddress,
    sender: {
      firstName: "Ada",
      lastName: "Lovelace",
      address: { countryCode: "GBR", stateCode: "LND", city: "London", line1: "1", line2: "", zipCode: "N1" },
      paymentMethod: { type: "CARD", cardTokenId: "6F9619FF-8B86-4011-B42D-00C04FC964FF" },
    },
  });
  const parse = (ipAddress: string) => parseCardCheck(body(ipAddress), (code) => code === "GBR");

  it.each(["203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7"])("takes the address %s", (ipAddress) => {
    expect(parse(ipAddress)).toMatchObject({ ipAddress, cardToken: "6f9619ff-8b86-4011-b42d-00c04fc964ff" });
  });

  it.each(["203.0.113", "0177.0.0.1", "256.1.1.1", "fe80::1%eth0", "[::1]", "0x7f.1", "localhost"])(
    "refuses the address %s",
    (ipAddress) => {
      expect(() => parse(ipAddress)).toThrow("ipAddress");
    },
  );
});
