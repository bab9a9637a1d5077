import { checkPerson, type GivenPerson, parsePerson, withChanges } from "./person-fields";

const at = new Date("2026-03-01T12:00:00Z");
const person = {
  type: "INDIVIDUAL",
  identificationType: "NATIONAL_ID",
  identification: "123",
  gender: "F",
  firstName: "Zoë",
  lastName: "Łukasz",
  birthDate: "1990-12-31",
  address: {
    addressLine1: "Main St 1",
    addressLine2: "",
    city: "Rio",
    countryCode: "BR",
    phoneNumber: "+55 (11) 91234-5678",
    emailAddress: "a@b.c",
  },
} as const;

describe("parsePerson", () => {
  it("keeps every field as it was written", () => {
    expect(parsePerson(person, at)).toEqual(person);
    expect(parsePerson({}, at)).toEqual({});
  });

  it("keeps text in composed form, and refuses what nobody sees and card numbers", () => {
    expect(parsePerson({ firstName: "Zoe\u0308" }, at)).toEqual({ firstName: "Zo\u00eb" });
    expect(checkPerson({ firstName: "Zo\u200be", lastName: "4111 1111 1111 1111" }, at)).toEqual([
      { field: "firstName", message: expect.stringContaining("hidden") },
      { field: "lastName", message: expect.any(String) },
    ]);
  });

  it("names every malformed field at once, and no value", () => {
    const wrong = {
      type: "ROBOT",
      identification: "",
      gender: "X",
      firstName: "   ",
      lastName: "",
      companyName: "x".repeat(141),
      birthDate: "31.12.1990",
      address: { city: "", countryCode: "BRA", phoneNumber: "call me", emailAddress: "nobody" },
    };

    expect(() => parsePerson(wrong, at)).toThrow(
      expect.objectContaining({
        reason: "INVALID_ARGUMENT",
        violations: [
          "type",
          "identification",
          "gender",
          "firstName",
          "lastName",
          "companyName",
          "birthDate",
          "address.city",
          "address.countryCode",
          "address.phoneNumber",
          "address.emailAddress",
        ].map((field) => ({ field, message: expect.stringMatching(/^must be/) })),
      }),
    );
  });

  it.each(["2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "26-01-01", "2026-1-1"])(
    "knows no day %s",
    (birthDate) => {
      expect(() => parsePerson({ birthDate }, at)).toThrow(
        expect.objectContaining({ violations: [expect.objectContaining({ field: "birthDate" })] }),
      );
      expect(parsePerson({ birthDate: "2024-02-29" }, at)).toEqual({ birthDate: "2024-02-29" });
    },
  );

  it("knows no birth in the future", () => {
    expect(parsePerson({ birthDate: "2026-03-01" }, at)).toEqual({ birthDate: "2026-03-01" });
    expect(() => parsePerson({ birthDate: "2026-03-02" }, at)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ field: "birthDate" })] }),
    );
  });

  it.each(["ZZ", "UK", "br", "B"])("knows no country %s", (countryCode) => {
    expect(() => parsePerson({ address: { countryCode } }, at)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ field: "address.countryCode" })] }),
    );
    expect(parsePerson({ address: { countryCode: "XK" } }, at)).toEqual({ address: { countryCode: "XK" } });
  });

  const party = { participantId: "0195b2a0-0000-7000-8000-000000000001", roles: ["OWNER"] as const, share: undefined };

  it("takes related parties of companies alone", () => {
    const given: GivenPerson = { relatedParties: [{ ...party, share: { digits: 625n, scale: 1 } }] };

    expect(parsePerson(given, at, "BUSINESS")).toEqual({
      type: "BUSINESS",
      relatedParties: [{ ...party, share: undefined, shareMillionths: 625_000 }].map(
        ({ share: _share, ...one }) => one,
      ),
    });
    expect(checkPerson(given, at, "INDIVIDUAL").map(({ field }) => field)).toEqual(["relatedParties"]);
  });

  it.each([
    [undefined, "share"],
    [{ digits: 0n, scale: 0 }, "share"],
    [{ digits: 1_000_001n, scale: 4 }, "share"],
    [{ digits: 1n, scale: 5 }, "share"],
  ])("refuses the share %j of an owner", (share, field) => {
    const violations = checkPerson({ relatedParties: [{ ...party, share }] }, at, "BUSINESS");

    expect(violations.map((one) => one.field)).toEqual([`relatedParties.0.${field}`]);
  });
});

describe("withChanges", () => {
  const before = parsePerson(person, at);

  it("changes the fields that are named, and no other", () => {
    const given = { firstName: "Ana", lastName: "Lima", address: { city: "Niterói", state: "RJ" } };

    expect(parsePerson(withChanges(before, given, ["lastName", "address.city"]), at)).toEqual({
      ...before,
      lastName: "Lima",
      address: { ...before.address, city: "Niterói" },
    });
    expect(parsePerson(withChanges(before, given, []), at)).toEqual(before);
  });

  it("takes away what is named and not given", () => {
    const { lastName: _name, address: { city: _city, ...address } = {}, ...rest } = before;

    expect(parsePerson(withChanges(before, {}, ["lastName", "address.city"]), at)).toEqual({ ...rest, address });
    expect(parsePerson(withChanges(before, {}, ["address"]), at)).not.toHaveProperty("address");
  });

  it("replaces an address that is named as a whole", () => {
    const given = { address: { city: "Niterói" } };

    expect(withChanges(before, given, ["address"]).address).toEqual({ city: "Niterói" });
    expect(withChanges({}, {}, ["address.city"]).address).toBeUndefined();
    expect(withChanges({}, given, ["address.city"]).address).toEqual({ city: "Niterói" });
  });
});
