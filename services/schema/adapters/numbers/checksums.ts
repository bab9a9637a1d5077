import type { CheckableNumber } from "../../domain/numbers";
import type { IfscCodes } from "./ifsc-codes";

type Verdict = (number: CheckableNumber) => Promise<boolean>;

/** A checksum: `name` says what a failing number is not, and `holds` checks a number. */
interface Checksum {
  name: string;
  holds: Verdict;
}

/** The checksums named in packs. Each library is loaded with the first such number. */
export interface Checksums {
  /** What the number fails to be, such as `an IBAN`; undefined when it passes, or when no library knows the checksum. */
  failure(number: CheckableNumber): Promise<string | undefined>;
}

/** Loads stdnum's module for one kind of number: all modules together are 20 MB. */
type Stdnum = () => Promise<{ validate(value: string): { isValid: boolean } }>;

const by =
  (load: Stdnum, form = (value: string): string => value): Verdict =>
  async ({ value }) =>
    (await load()).validate(form(value)).isValid;

const arithmetic = () => import("stdnum/lib/cjs/util/checksum.js");
const digitsOf = (value: string): string => value.replaceAll(/\D/g, "");

const iban: Verdict = async ({ value }) => {
  const { validateIBAN, ValidationErrorsIBAN: wrong } = await import("ibantools");
  const { errorCodes } = validateIBAN(value);
  const ofDigits = [wrong.WrongIBANChecksum, wrong.WrongAccountBankBranchChecksum];
  if (errorCodes.every((code) => ofDigits.includes(code))) return errorCodes.length === 0;
  // ibantools knows some countries in another form than the published schema, or not at all.
  return (await arithmetic()).mod97base10Validate(value.slice(4) + value.slice(0, 4));
};

const clabe: Verdict = async ({ value }) => {
  const { clabe } = await import("clabe-validator");
  return clabe.validate(value).error !== "invalid-checksum";
};

const luhn: Verdict = async ({ value }) => (await arithmetic()).luhnChecksumValidate(digitsOf(value));

const verhoeff: Verdict = async ({ value }) => (await arithmetic()).verhoeffValidate(digitsOf(value));

const remainder =
  (expected: number): Verdict =>
  async ({ value }) =>
    (await arithmetic()).mod97base10Validate(digitsOf(value), expected);

const routingNumber: Verdict = async ({ value }) =>
  (await arithmetic()).weightedSum(value, { weights: [3, 7, 1], modulus: 10 }) === 0;

/** The Nigerian account number's last digit covers the bank's three digits and the nine before it. */
const nuban: Verdict = async ({ value, bankCode }) => {
  if (!/^\d{3}$/.test(bankCode)) return true;
  const { weightedSum } = await arithmetic();
  const sum = weightedSum(bankCode + value.slice(0, -1), { weights: [3, 7, 3], modulus: 10 });
  return weightedSum(value.slice(-1), { modulus: 10 }) === (10 - sum) % 10;
};

const cpf = by(() => import("stdnum/lib/cjs/br/cpf.js"));
const cnpj = by(() => import("stdnum/lib/cjs/br/cnpj.js"));

/** Checks only numbers of one form: others of the same field have no checksum. */
const where =
  (form: RegExp, verdict: Verdict): Verdict =>
  (number) =>
    form.test(number.value) ? verdict(number) : Promise.resolve(true);

const known: Readonly<Record<string, Checksum>> = {
  iban: { name: "an IBAN", holds: iban },
  "iban-if-iban": { name: "an IBAN", holds: where(/^[A-Z]{2}\d{2}/, iban) },
  clabe: { name: "a CLABE", holds: clabe },
  aba: { name: "an ABA routing number", holds: routingNumber },
  nuban: { name: "an account number of that bank", holds: nuban },
  "cbu-if-22": {
    name: "a CBU",
    holds: where(
      /^\d{22}$/,
      by(() => import("stdnum/lib/cjs/ar/cbu.js")),
    ),
  },
  "luhn-if-62": { name: "a UnionPay card number", holds: where(/^62\d{14}/, luhn) },
  "mod97-0": { name: "such a number", holds: remainder(0) },
  "mod97-1": { name: "such a number", holds: remainder(1) },
  cpf: { name: "a CPF", holds: cpf },
  cnpj: { name: "a CNPJ", holds: cnpj },
  "cpf|cnpj": {
    name: "a CPF or CNPJ",
    holds: (number) => (digitsOf(number.value).length === 11 ? cpf(number) : cnpj(number)),
  },
  rut: { name: "a RUT", holds: by(() => import("stdnum/lib/cjs/cl/rut.js")) },
  nit: { name: "a NIT", holds: by(() => import("stdnum/lib/cjs/co/nit.js")) },
  tckn: { name: "a Turkish identity number", holds: by(() => import("stdnum/lib/cjs/tr/tckimlik.js")) },
  vkn: { name: "a Turkish tax number", holds: by(() => import("stdnum/lib/cjs/tr/vkn.js")) },
  rrn: { name: "a Korean registration number", holds: by(() => import("stdnum/lib/cjs/kr/rrn.js")) },
  "kr-brn": { name: "a Korean business number", holds: by(() => import("stdnum/lib/cjs/kr/brn.js")) },
  verhoeff: { name: "an Aadhaar number", holds: verhoeff },
  curp: { name: "a CURP", holds: by(() => import("stdnum/lib/cjs/mx/curp.js")) },
  "cn-ric": { name: "a Chinese identity number", holds: by(() => import("stdnum/lib/cjs/cn/ric.js")) },
  uscc: { name: "a unified social credit code", holds: by(() => import("stdnum/lib/cjs/cn/uscc.js")) },
  luhn: { name: "such a number", holds: luhn },
  "th-pin": { name: "a Thai identity or tax number", holds: by(() => import("stdnum/lib/cjs/th/tin.js")) },
  hkid: { name: "a Hong Kong identity number", holds: by(() => import("stdnum/lib/cjs/hk/hkid.js")) },
  "tw-id": { name: "a Taiwanese identity number", holds: by(() => import("stdnum/lib/cjs/tw/natid.js")) },
  cuit: { name: "a CUIT", holds: by(() => import("stdnum/lib/cjs/ar/cuit.js")) },
  "uy-ci": { name: "a Uruguayan identity number", holds: by(() => import("stdnum/lib/cjs/uy/cedula.js"), digitsOf) },
  "ec-ci": { name: "an Ecuadorian identity number", holds: by(() => import("stdnum/lib/cjs/ec/ci.js")) },
};

export function makeChecksums(ifsc: IfscCodes): Checksums {
  const isBranch: Verdict = async ({ value }) => (await ifsc.find(value)) !== undefined;
  const all = new Map(Object.entries({ ...known, ifsc: { name: "the IFSC of a known branch", holds: isBranch } }));
  return {
    async failure(number) {
      const checksum = all.get(number.check);
      return checksum === undefined || (await checksum.holds(number)) ? undefined : checksum.name;
    },
  };
}
