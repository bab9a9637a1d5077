import { loadBankDirectories } from "../adapters/files/load-bank-directories";
import { loadPacks } from "../adapters/files/load-packs";
import { parseBankDirectory } from "./bank-directory";
import type { CorridorPack, FieldRule } from "./corridor-pack";

const titles = new Map([["list", "A public list"]]);
const good = {
  country: "BR",
  scheme: "COMPE",
  basis: "published",
  sources: ["list"],
  banks: [
    { code: "001", name: "Banco do Brasil", swift: "BRASBRRJ" },
    { code: "047", name: "Banese", swift: null },
  ],
};
const parse = (changes: object = {}) => parseBankDirectory(JSON.stringify({ ...good, ...changes }), titles, "BR.json");
const [first, second] = good.banks;

describe("a bank directory", () => {
  it("is read with the titles of its sources, under an id made of country and content", () => {
    const directory = parse();

    expect(directory).toMatchObject({ country: "BR", sources: ["A public list"], banks: good.banks });
    expect(directory.id).toMatch(/^BR@[\w-]{43}$/);
    expect(parse().id).toBe(directory.id);
  });

  it.each([
    ["a name", { banks: [{ ...first, name: "Banco" }, second] }],
    ["a BIC", { banks: [{ ...first, swift: null }, second] }],
    ["one bank less", { banks: [first] }],
    ["the scheme", { scheme: "ISPB" }],
  ])("has another id when %s changes", (_case, changes) => {
    expect(parse(changes).id).not.toBe(parse().id);
  });

  it.each([
    ["codes out of order", { banks: [second, first] }, "001 is not in ascending order"],
    ["a code twice", { banks: [first, first] }, "001 is not in ascending order"],
    ["a code in lower case", { banks: [{ ...first, code: "00a" }] }, "/banks/0/code"],
    ["a BIC of 11 characters", { banks: [{ ...first, swift: "BRASBRRJXXX" }] }, "/banks/0/swift"],
    ["no bank", { banks: [] }, "/banks"],
    ["an alpha-3 country", { country: "BRA" }, "/country"],
    ["a source without title", { sources: ["rumour"] }, "source rumour has no title"],
    ["an unknown key", { remark: "x" }, "additional properties"],
  ])("is refused with %s", (_case, changes, problem) => {
    expect(() => parse(changes)).toThrow(problem);
  });
});

describe("the bank directories", () => {
  it("are those of 130 countries", async () => {
    const directories = await loadBankDirectories();

    expect(directories).toHaveLength(130);
    expect(directories.reduce((sum, { banks }) => sum + banks.length, 0)).toBe(1_632);
  });

  it("fit on one page each, so that a branch of India finds its bank in one read", async () => {
    const largest = Math.max(...(await loadBankDirectories()).map(({ banks }) => banks.length));

    expect(largest).toBeLessThan(500);
  });

  it("exist for every corridor but three whose banks are unknown, and for no other country", async () => {
    const packs = await loadPacks();
    const countries = (await loadBankDirectories()).map(({ country }) => country);
    const without = packs.filter(({ alpha2 }) => !countries.includes(alpha2)).map(({ country }) => country);

    expect(without).toEqual(["COD", "COG", "HTI"]);
    expect(countries.filter((country) => packs.every(({ alpha2 }) => alpha2 !== country))).toEqual([]);
  });

  it("have only BICs of their own country", async () => {
    const foreign = (await loadBankDirectories()).flatMap(({ country, banks }) =>
      banks.filter(({ swift }) => swift !== null && swift.slice(4, 6) !== country).map(({ swift }) => swift),
    );

    expect(foreign).toEqual([]);
  });

  it("have only codes that the schema of a payment takes as bankCode", async () => {
    const rulesByCountry = new Map((await loadPacks()).map((pack) => [pack.alpha2, bankCodeRules(pack)]));
    const compared = (await loadBankDirectories()).flatMap(({ country, banks }) =>
      (rulesByCountry.get(country) ?? []).flatMap((rule) => banks.map(({ code }) => ({ country, code, rule }))),
    );

    expect(compared.length).toBeGreaterThan(500);
    expect(compared.filter(({ code, rule }) => !fits(code, rule)).map(({ country, code }) => country + code)).toEqual(
      [],
    );
  });
});

/** Every rule for a bank's code in a corridor's payments. */
const bankCodeRules = ({ methods }: CorridorPack): FieldRule[] =>
  Object.values(methods)
    .flatMap(({ fields, alternative }) => [fields["bankCode"], alternative?.fields["bankCode"]])
    .filter((rule) => rule !== undefined);

const fits = (code: string, { pattern, enum: values }: FieldRule): boolean =>
  (pattern === undefined || new RegExp(pattern, "u").test(code)) && (values === undefined || values.includes(code));
