import { makeCorridors } from "./corridors";

describe("corridors", () => {
  it("are quoted by the methods that are known, and not by one that is not", async () => {
    const warned: unknown[] = [];
    const logger = { warn: (fields: unknown) => void warned.push(fields) } as never;
    const methods = ["BANK_DEPOSIT", "PIX", "WALLET", "CARD", "CASH"].map((type) => ({ type }));
    const destination = { countryCodeAlpha3: "BRA", currencies: ["BRL"], methods };
    const corridors = makeCorridors(
      { listDestinations: async () => ({ destinations: [destination] }) as never },
      logger,
    );

    expect(await corridors.find("BRA")).toEqual({
      currencies: ["BRL"],
      paymentMethods: ["BANK_ACCOUNT", "BANK_ACCOUNT", "WALLET", "CARD"],
    });
    expect(warned).toEqual([{ type: "CASH" }]);
  });
});
