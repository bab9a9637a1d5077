import { Ajv } from "ajv";
import { loadPacks } from "../load-packs";
import { countrySchema } from "./country-schema";
import { destinationOf } from "./destination";

describe("destinations", () => {
  it("tell of every country what it offers", async () => {
    const packs = await loadPacks();
    const brazil = packs.find(({ country }) => country === "BRA");
    const limits = [{ currency: "BRL", minimum: "0", maximum: "999999999999" }];

    expect(packs.map(destinationOf)).toHaveLength(133);
    expect(brazil && destinationOf(brazil)).toEqual({
      country: "BRA",
      alpha2: "BR",
      name: "Brazil",
      currencies: ["BRL"],
      methods: [
        { type: "BANK_DEPOSIT", limits, expectedMinutes: 15 },
        { type: "PIX", limits, expectedMinutes: 1 },
      ],
    });
  });

  it("say how long each method takes", async () => {
    const methods = (await loadPacks()).flatMap((pack) => destinationOf(pack).methods);

    expect(methods.filter(({ expectedMinutes = 0 }) => expectedMinutes < 1)).toEqual([]);
  });

  it("allow what the country's schema allows", async () => {
    for (const pack of await loadPacks()) {
      const ajv = new Ajv({ strict: false, validateFormats: false });
      const schema = JSON.parse(countrySchema(pack).bytes.toString()) as { properties: { recipientAmount: object } };
      const takes = ajv.compile(schema.properties.recipientAmount);
      const { methods, currencies } = destinationOf(pack);
      for (const { currency, minimum, maximum } of methods.flatMap(({ limits }) => limits)) {
        expect(currencies).toContain(currency);
        expect([minimum, maximum].map((total) => takes({ total: Number.parseFloat(total), currency }))).toEqual([
          true,
          true,
        ]);
        expect(takes({ total: Number.parseFloat(maximum) + 1, currency })).toBe(false);
      }
    }
  });

  it("keep to the limits that a pack knows of a rail", async () => {
    const [pack] = await loadPacks();
    const [method] = Object.values(pack?.methods ?? {});
    if (pack === undefined || method === undefined) throw new Error("there is no pack");
    const [currency = ""] = pack.currencies;
    const narrow = { ...method, limits: { [currency]: { minimum: "0.01", maximum: "50000" } } };

    const [offered] = destinationOf({ ...pack, methods: { BANK_DEPOSIT: narrow } }).methods;

    expect(offered?.limits[0]).toEqual({ currency, minimum: "0.01", maximum: "50000" });
  });
});
