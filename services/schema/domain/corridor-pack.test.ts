import { readFileSync } from "node:fs";
import { parseJsonObject } from "../../shared/kernel/json";
import { parseCorridorPack } from "./corridor-pack";
import { countrySchema } from "./country-schema";

const text = readFileSync("services/schema/packs/BRA.json", "utf8");

describe("parseCorridorPack", () => {
  it("reads the pack of Brazil", () => {
    expect(parseCorridorPack(text, "BRA.json")).toMatchObject({ country: "BRA", currencies: ["BRL"] });
  });

  it.each([
    ["a missing key", { currencies: undefined }],
    ["an unknown key", { purpose: [] }],
    ["an unknown method", { methods: { CASH: {} } }],
    ["a version of another form", { version: "1" }],
    ["a pattern that does not compile", { phoneNumber: { description: "E.164", pattern: "(", example: "1" } }],
  ])("refuses %s and names the file", (_case, change) => {
    const pack = JSON.stringify({ ...parseJsonObject(text).value, ...change });

    expect(() => parseCorridorPack(pack, "BRA.json")).toThrow("corridor pack BRA.json is not usable");
  });
});

describe("countrySchema", () => {
  it("leaves out keys and conditions where a country has one method and no alias rail", () => {
    const pack = parseCorridorPack(text, "BRA.json");
    const { BANK_DEPOSIT } = pack.methods;
    if (BANK_DEPOSIT === undefined) throw new Error("Brazil has bank deposits");
    const { bytes } = countrySchema({ ...pack, methods: { BANK_DEPOSIT } });
    const { value } = parseJsonObject(bytes.toString());
    const paymentMethod = "properties.recipient.properties.paymentMethod";

    expect(value).toHaveProperty(`${paymentMethod}.properties.bankCode`);
    expect(value).not.toHaveProperty(`${paymentMethod}.properties.key`);
    expect(value).toHaveProperty(`${paymentMethod}.required`, ["type", ...BANK_DEPOSIT.requires]);
    expect(value).not.toHaveProperty(`${paymentMethod}.allOf`);
  });
});
