import type { CorridorPack, FieldRule } from "../../domain/corridor-pack";
import type { CheckableNumber } from "../../domain/numbers";
import { loadPacks } from "../files/load-packs";
import { makeChecksums } from "./checksums";
import { makeIfscCodes } from "./ifsc-codes";

const checksums = makeChecksums(makeIfscCodes());

/** Checks named in packs that no library implements. */
const withoutLibrary = ["bb-agencia", "bb-conta", "dui", "nric"];

/** Checks that accept even mistyped examples: accounts that are not IBANs, and codes of many branches. */
const indifferent = ["iban-if-iban", "ifsc"];

/** Every rule of a pack that names a checksum, with the bank code of its example. */
function rulesOf({ methods, documents, person }: CorridorPack): { rule: FieldRule; bankCode: string }[] {
  const ofMethods = Object.values(methods).flatMap(({ fields, keyTypes, alternative }) => {
    const bankCode = fields["bankCode"]?.example ?? "";
    const rules = [fields, keyTypes, alternative?.fields].flatMap((some) => Object.values(some ?? {}));
    return rules.map((rule) => ({ rule, bankCode }));
  });
  const ofPersons = Object.values(person ?? {}).flatMap(({ identification }) => Object.values(identification));
  const others = [...Object.values(documents?.types ?? {}), ...ofPersons].map((rule) => ({ rule, bankCode: "" }));
  return [...ofMethods, ...others].filter(({ rule }) => rule.check !== undefined);
}

/** The same number with another last digit, or another last letter. */
const mistyped = (value: string): string =>
  value.slice(0, -1) +
  (/\d$/.test(value) ? String((Number.parseInt(value.slice(-1), 10) + 1) % 10) : value.endsWith("A") ? "B" : "A");

describe("the checksums that packs name", () => {
  let named: { country: string; number: CheckableNumber }[] = [];

  beforeAll(async () => {
    named = (await loadPacks()).flatMap((pack) =>
      rulesOf(pack).map(({ rule: { check = "", example: value }, bankCode }) => ({
        country: pack.country,
        number: { field: "f", check, value, bankCode },
      })),
    );
  });

  it("find mistyped numbers, except where no library knows the checksum", async () => {
    const silent = new Set<string>();
    for (const { number } of named) {
      const failures = [0, 1, 2].map((at) => ({
        ...number,
        value: number.value.slice(0, at) + mistyped(number.value.slice(at)),
      }));
      const found = await Promise.all(failures.map((wrong) => checksums.failure(wrong)));
      if (found.every((failure) => failure === undefined)) silent.add(number.check);
    }

    expect(named.length).toBeGreaterThan(100);
    expect([...silent].toSorted()).toEqual([...withoutLibrary, ...indifferent].toSorted());
  });

  it("hold for the example of each country", async () => {
    const wrong: string[] = [];
    for (const { country, number } of named) {
      if ((await checksums.failure(number)) !== undefined) wrong.push(`${country} ${number.check} ${number.value}`);
    }

    expect(wrong).toEqual([]);
  });
});

describe("a checksum", () => {
  const failure = (check: string, value: string, bankCode = "") =>
    checksums.failure({ field: "f", check, value, bankCode });

  it.each([
    ["iban", "DE89370400440532013001", "an IBAN"],
    ["clabe", "012180001567891233", "a CLABE"],
    ["cpf", "390.533.447-06", "a CPF"],
    ["cnpj", "16.727.230/0001-98", "a CNPJ"],
    ["cpf|cnpj", "39053344706", "a CPF or CNPJ"],
    ["rut", "12.531.909-3", "a RUT"],
    ["tckn", "10000000147", "a Turkish identity number"],
    ["aba", "021000022", "an ABA routing number"],
    ["ifsc", "HDFC0888888", "the IFSC of a known branch"],
    ["nuban", "0123456789", "an account number of that bank"],
  ])("finds with %s that %s is not %s", async (check, value, name) => {
    expect(await failure(check, value, "011")).toBe(name);
  });

  it.each([
    ["an account that is not an IBAN where both are in use", "iban-if-iban", "12345678"],
    ["an account of another length than a CBU", "cbu-if-22", "1234567890"],
    ["an account that is not a UnionPay card", "luhn-if-62", "1234567890123456"],
    ["a Nigerian account without its bank", "nuban", "0123456789"],
    ["an unknown check", "constructor", "1"],
  ])("s%s", async (_case, check, value) => {
    expect(await failure(check, value)).toBeUndefined();
  });
});
