import { normaliseAddress, structuredReadiness } from "./address";

describe("an address", () => {
  it("loses what only typing has put there", () => {
    expect(
      normaliseAddress({
        addressLine1: "  12  Hill\tRoad ",
        city: "Nitero\u0301i",
        postalCode: "sw1a 1aa",
        countryCode: "gb",
        state: "  ",
      }),
    ).toEqual({ addressLine1: "12 Hill Road", city: "Niterói", postalCode: "SW1A 1AA", countryCode: "GB" });
  });

  it.each([
    [{}, { isReady: false, missing: ["townName", "country"], tooLong: [] }],
    [{ city: "Lyon" }, { isReady: false, missing: ["country"], tooLong: [] }],
    [
      { countryCode: "FR", addressLine1: "1 rue" },
      { isReady: false, missing: ["townName"], tooLong: [] },
    ],
    [
      { city: "Lyon", countryCode: "FR" },
      { isReady: true, missing: [], tooLong: [] },
    ],
    [
      { city: "x".repeat(36), countryCode: "FR", addressLine1: "y".repeat(71), postalCode: "1".repeat(16) },
      { isReady: false, missing: [], tooLong: ["townName", "addressLine1"] },
    ],
    [
      { city: "x".repeat(35), countryCode: "FR", addressLine1: "y".repeat(70) },
      { isReady: true, missing: [], tooLong: [] },
    ],
  ])("%j is ready for payment messages: %j", (address, readiness) => {
    expect(structuredReadiness(address)).toEqual(readiness);
  });
});
