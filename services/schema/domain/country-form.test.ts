import { loadPacks } from "../adapters/files/load-packs";
import type { CorridorPack } from "./corridor-pack";
import { countryForm } from "./country-form";
import { countrySchema } from "./country-schema";
import { strongEtag } from "./etag";

interface Node {
  readonly properties?: Readonly<Record<string, Node | boolean>>;
  readonly items?: Node;
}

/** Every field of a schema by its pointer. */
function leavesOf(node: Node, path = ""): (readonly [string, Node])[] {
  if (node.items !== undefined) return leavesOf(node.items, `${path}/*`);
  if (node.properties === undefined) return [[path, node]];
  return Object.entries(node.properties).flatMap(([name, inner]) =>
    typeof inner === "boolean" ? [] : leavesOf(inner, `${path}/${name}`),
  );
}

describe("countryForm", () => {
  let packs: CorridorPack[];

  beforeAll(async () => {
    packs = await loadPacks();
  });

  const packOf = (country: string): CorridorPack => {
    const pack = packs.find((one) => one.country === country);
    if (pack === undefined) throw new Error(`no pack of ${country}`);
    return pack;
  };

  it("has a title and a place for every field of every country's schema, in each language", () => {
    const untitled = packs.flatMap((pack) => {
      const fields = leavesOf(JSON.parse(countrySchema(pack).bytes.toString()) as Node);
      return (["en", "de", "pt"] as const).flatMap((language) => {
        const form = countryForm(pack, language);
        return fields
          .map(([path]) => path)
          .filter((path) => !path.startsWith("/recipientAmount/"))
          .filter((path) => !/^[^/]/.test(form.fields[path]?.title ?? "/"))
          .map((path) => `${pack.country} ${path}`);
      });
    });

    expect(packs.length).toBeGreaterThan(130);
    expect(untitled).toEqual([]);
  });

  it("names the schema that it is about, and gives its methods their own fields", () => {
    const pack = packOf("BGD");
    const { schema, methods } = countryForm(pack, "en");

    expect(schema).toEqual({ version: pack.version, etag: strongEtag(countrySchema(pack).bytes) });
    expect(methods.map(({ type, fields, optional }) => [type, fields, optional])).toEqual([
      ["BANK_DEPOSIT", ["bankCode", "routingNumber", "accountNumber"], []],
      ["WALLET", ["walletOperator", "walletId", "walletType"], ["walletType"]],
    ]);
  });

  it("says what purposes and kinds mean, in words for values that the schema allows", () => {
    const wrong = packs.flatMap((pack) => {
      const schema = countrySchema(pack).bytes.toString();
      return Object.entries(countryForm(pack, "en").values).flatMap(([path, words]) =>
        Object.keys(words)
          .filter((value) => !schema.includes(JSON.stringify(value)))
          .map((value) => `${pack.country} ${path} ${value}`),
      );
    });

    expect(wrong).toEqual([]);
    expect(countryForm(packOf("BGD"), "en").values["/additionalData/paymentPurpose"]?.["EPFAMT"]).toBe(
      "Family maintenance",
    );
  });

  it("is worded in other languages, and calls a number by the name that people know", () => {
    const german = countryForm(packOf("DEU"), "de");

    expect(german.methods[0]?.title).toBe("Banküberweisung");
    expect(german.fields["/recipient/paymentMethod/accountNumber"]?.title).toBe("IBAN");
    expect(german.fields["/recipient/lastName"]?.title).toBe("Nachname");
  });
});
