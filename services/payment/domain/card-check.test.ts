import {
  type CardCheck,
  type CardReport,
  cardCheckViolations,
  cardholderOf,
  isComparable,
  outcomeOf,
} from "./card-check";

const address = {
  countryCode: "GBR",
  stateCode: "LND",
  state: "",
  city: "London",
  line1: "1",
  line2: "",
  zipCode: "N1",
};
const check: CardCheck = {
  externalId: "check-1",
  ipAddress: "203.0.113.7",
  cardToken: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
  firstName: "Ada",
  lastName: "Lovelace",
  email: "",
  phoneNumber: "",
  address,
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
const outcome = (changes: Partial<CardReport>, asked: Partial<CardCheck> = {}) =>
  outcomeOf({ ...check, ...asked }, { paymentId: "p-1", createdAt, report: { ...report, ...changes } });
const verified = (changes: Partial<CardReport>, asked: Partial<CardCheck> = {}) => {
  const found = outcome(changes, asked);
  if (found.kind !== "verified") throw new Error(`the outcome is ${found.kind}`);
  return found;
};

describe("the outcome of a card check", () => {
  it("is a verified card", () => {
    expect(outcome({})).toEqual({
      kind: "verified",
      card: { checkedAt: createdAt, issuerName: "A Bank", issuerCountry: "US", bin: "411111", lastFour: "1111" },
      results: { avs: "APPROVED", cvc: "APPROVED", cardholderName: "APPROVED" },
      oct: high,
      aft: none,
    });
  });

  it.each(["", "NA", "N/A", "n/a", " "])("turns the result %p into NOT_SUPPORTED", (avs) => {
    expect(verified({ avs, cvc: avs, cardholderName: avs }).results).toEqual({
      avs: "NOT_SUPPORTED",
      cvc: "NOT_SUPPORTED",
      cardholderName: "NOT_SUPPORTED",
    });
  });

  it("keeps an issuer's own words", () => {
    expect(verified({ avs: "Street matches, postal code does not" }).results.avs).toMatch(/^Street/);
  });

  it.each(["MASTERCARD", "AMEX", ""])("evaluates nothing on the network %p", (scheme) => {
    const { results, oct, aft } = verified({ scheme, oct: high, aft: high });

    expect(results).toMatchObject({ avs: "APPROVED", cardholderName: "NOT_SUPPORTED" });
    expect([oct, aft]).toEqual([none, none]);
  });

  it.each(["BUSINESS", "CORPORATE", "PREPAID", "Prepaid non-reloadable"])(
    "compares no name on a %s card",
    (category) => {
      expect(verified({ category }).results.cardholderName).toBe("NOT_SUPPORTED");
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
    expect(verified({}, asked).results.cardholderName).toBe(expected);
  });

  it("has no verdict while the cardholder is asked", () => {
    expect(outcome({ status: "CHALLENGE", redirectAcsUrl: "https://acs.example/1" })).toEqual({
      kind: "challenged",
      card: expect.objectContaining({ lastFour: "1111" }),
      challengeUrl: "https://acs.example/1",
    });
  });

  it("declines with the caller's own id and without the numbers of the card", () => {
    expect(outcome({ status: "DECLINED", avs: "", cvc: "N/A", cardholderName: "" }, { externalId: "mine" })).toEqual({
      kind: "declined",
      paymentId: "p-1",
      externalId: "mine",
      card: { checkedAt: createdAt, issuerName: "A Bank", issuerCountry: "US", bin: "", lastFour: "" },
      results: { avs: "", cvc: "N/A", cardholderName: "" },
    });
  });
});

describe("cardholderOf", () => {
  it.each([
    ["Mr. Dr John", "Smith Jr.", "John", "Smith"],
    ["Mrs Ada", "King III", "Ada", "King"],
    ["Drew", "Srinivasan", "Drew", "Srinivasan"],
    ["Dr", "Jr", "Dr", "Jr"],
  ])("reads %s %s as %s %s", (firstName, lastName, first, last) => {
    expect(cardholderOf({ firstName, lastName, address })).toEqual({
      firstName: first,
      lastName: last,
      address,
    });
  });

  it("says what can be compared", () => {
    expect(isComparable({ firstName: "a".repeat(35), lastName: "b".repeat(35), address })).toBe(true);
    expect(isComparable({ firstName: "a", lastName: "b".repeat(36), address })).toBe(false);
  });
});

describe("cardCheckViolations", () => {
  const fieldsOf = (changes: Partial<CardCheck>): string[] =>
    cardCheckViolations({ ...check, ...changes }).map(({ field }) => field);

  it.each(["203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7"])("takes the address %s", (ipAddress) => {
    expect(fieldsOf({ ipAddress })).toEqual([]);
  });

  it.each(["", "203.0.113", "0177.0.0.1", "256.1.1.1", "fe80::1%eth0", "[::1]", "0x7f.1", "localhost"])(
    "refuses the address %p",
    (ipAddress) => {
      expect(fieldsOf({ ipAddress })).toEqual(["ipAddress"]);
    },
  );

  it("names every field that is missing, each once", () => {
    const empty = { countryCode: "", stateCode: "", state: "", city: "", line1: "", line2: "", zipCode: "" };

    expect(
      fieldsOf({ externalId: "", ipAddress: "", firstName: "", lastName: " ", address: empty, cardToken: "" }),
    ).toEqual([
      "externalPaymentId",
      "ipAddress",
      "sender.firstName",
      "sender.lastName",
      "sender.address.countryCode",
      "sender.address.stateCode",
      "sender.address.city",
      "sender.address.line1",
      "sender.address.zipCode",
      "sender.paymentMethod.cardTokenId",
    ]);
  });

  it.each<[Partial<CardCheck>, string]>([
    [{ firstName: "4111 1111 1111 1111" }, "sender.firstName"],
    [{ email: "x".repeat(256) }, "sender.email"],
    [{ phoneNumber: "1\u202e" }, "sender.phoneNumber"],
    [{ address: { ...address, line2: "4111111111111111" } }, "sender.address.line2"],
    [{ address: { ...address, countryCode: "XXX" } }, "sender.address.countryCode"],
    [{ cardToken: "4111111111111111" }, "sender.paymentMethod.cardTokenId"],
  ])("refuses what no issuer needs: %#", (changes, field) => {
    expect(fieldsOf(changes)).toEqual([field]);
  });
});
