import { loadPacks } from "../adapters/files/load-packs";
import { destinationOf } from "./destination";

describe("destinations", () => {
  it("list what every country offers", async () => {
    const packs = await loadPacks();
    const brazil = packs.find(({ country }) => country === "BRA");

    expect(packs.map(destinationOf)).toHaveLength(133);
    expect(brazil && destinationOf(brazil)).toEqual({
      country: "BRA",
      alpha2: "BR",
      name: "Brazil",
      currencies: ["BRL"],
      methods: [
        { type: "BANK_DEPOSIT", expectedMinutes: 15 },
        { type: "PIX", expectedMinutes: 1 },
      ],
    });
  });

  it("give the duration of each method", async () => {
    const methods = (await loadPacks()).flatMap((pack) => destinationOf(pack).methods);

    expect(methods.filter(({ expectedMinutes = 0 }) => expectedMinutes < 1)).toEqual([]);
  });
});
