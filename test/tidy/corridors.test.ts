import routes from "../../services/fx/routes.json";
import { type CorridorPack, parseCorridorPack } from "../../services/schema/domain/corridor-pack";
import { filesIn, textOf } from "./tree";

const packs = filesIn("services/schema/packs").map((path) => parseCorridorPack(textOf(path), path));
const routeByCountry: Readonly<Record<string, object>> = routes;

/** Names of the payment methods in quotes, by those in payments. */
const quoted: Readonly<Record<string, string>> = {
  BANK_DEPOSIT: "BANK_ACCOUNT",
  PIX: "BANK_ACCOUNT",
  WALLET: "WALLET",
  CARD: "CARD",
};
const methodsOf = ({ methods }: CorridorPack): string[] => [
  ...new Set(Object.keys(methods).map((method) => quoted[method] ?? method)),
];

describe("the routes of fx", () => {
  it("lead to the countries of the packs", () => {
    expect(Object.keys(routes)).toEqual(packs.map(({ country }) => country).toSorted());
  });

  it.each(packs.map((pack) => [pack.country, pack] as const))("offer what the pack of %s does", (country, pack) => {
    expect(routeByCountry[country]).toMatchObject({
      destinationCurrencies: pack.currencies,
      paymentMethods: methodsOf(pack),
    });
  });
});
