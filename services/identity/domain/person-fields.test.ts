import { mergePatch, parsePerson } from "./person-fields";

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
  it("keeps every known field as it was written, and no other", () => {
    expect(parsePerson({ ...person, shoeSize: 42, address: { ...person.address, planet: "Earth" } }, at)).toEqual(
      person,
    );
    expect(parsePerson({}, at)).toEqual({});
  });

  it("names every malformed field at once, and no value", () => {
    const wrong = {
      type: "ROBOT",
      identification: "",
      gender: "X",
      firstName: "   ",
      lastName: 7,
      companyName: "x".repeat(141),
      birthDate: "31.12.1990",
      address: { city: null, countryCode: "BRA", phoneNumber: "call me", emailAddress: "nobody" },
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

  it.each([null, [], "Rio", 1])("refuses the address %j", (address) => {
    expect(() => parsePerson({ address }, at)).toThrow(
      expect.objectContaining({ violations: [{ field: "address", message: "must be an object" }] }),
    );
  });
});

describe("mergePatch", () => {
  // The examples of RFC 7396, appendix A, that have objects on both sides.
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("merges into %j the patch %j", (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  it("takes no name for a prototype", () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"admin":"yes"}}'));

    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect("admin" in {}).toBe(false);
  });
});
