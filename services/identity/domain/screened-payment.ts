import { alpha3ToAlpha2, isValid } from "i18n-iso-countries";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { Names } from "./screening";

/** What is known of who pays or is paid, beside the name. Empty texts are not known. */
export interface PaymentParty {
  birthDate: string;
  nationality: string;
  residence: string;
  documents: readonly string[];
  companyName: string;
  bankName: string;
  bankCountry: string;
  /** Further countries that the party has to do with: an embargo may name them, and they distinguish no one from a namesake. */
  otherCountries: readonly string[];
}

/** Where nothing is known. */
export const unknownParty: PaymentParty = {
  ...{ birthDate: "", nationality: "", residence: "", documents: [] },
  ...{ companyName: "", bankName: "", bankCountry: "", otherCountries: [] },
};

/** Alpha-2 of either code; empty for none. */
export function countryOf(code: string): string {
  // Kosovo has no code of ISO 3166-1; both are of the range for users of the standard.
  if (code === "XKX") return "XK";
  if (code.length === 3) return alpha3ToAlpha2(code) ?? "";
  return isValid(code) ? code : "";
}

/** A party as it is screened. Throws INVALID_ARGUMENT with every malformed field. */
export function parseParty(party: PaymentParty, where: string): PaymentParty {
  const countries = ["nationality", "residence", "bankCountry"] as const;
  const violations: FieldViolation[] = [
    ...(party.birthDate === "" || /^\d{4}-\d\d-\d\d$/.test(party.birthDate)
      ? []
      : [{ field: `${where}.birthDate`, message: "must be YYYY-MM-DD" }]),
    ...countries.flatMap((name) =>
      party[name] === "" || countryOf(party[name]) !== "" ? [] : [{ field: `${where}.${name}`, message: countryRule }],
    ),
    ...party.otherCountries.flatMap((code, at) =>
      countryOf(code) === "" ? [{ field: `${where}.otherCountries.${at}`, message: countryRule }] : [],
    ),
  ];
  if (violations.length > 0) throw invalid(violations);
  const codes = Object.fromEntries(countries.map((name) => [name, countryOf(party[name])]));
  return { ...party, ...codes, otherCountries: party.otherCountries.map(countryOf) };
}

const countryRule = "must be an ISO 3166-1 code";

/** Every subject that is looked for on the lists: the party, and its bank. */
export function namesOfParty(names: Names, party: PaymentParty): Names[] {
  const { birthDate, nationality, residence, documents, companyName, bankName } = party;
  const person: Names = {
    ...names,
    documents,
    ...(companyName !== "" && { companyName }),
    ...(birthDate !== "" && { birthDate }),
    ...(nationality !== "" && { nationality }),
    ...(residence !== "" && { address: { countryCode: residence } }),
  };
  return [person, ...(bankName === "" ? [] : [{ companyName: bankName }])];
}

/** Countries that an embargo may name. */
export const countriesOfParty = ({ nationality, residence, bankCountry, otherCountries }: PaymentParty): string[] =>
  [nationality, residence, bankCountry, ...otherCountries].filter((country) => country !== "");

/** What a payment was screened by. Parties of whom nothing but the name is known are absent. */
export interface PaymentFacts {
  /** Plain decimal. */
  amount: string;
  currency: string;
  senderName: string;
  sender?: Partial<PaymentParty>;
  /** Absent when money is only collected, as are all facts of a recipient. */
  recipientName?: string;
  recipientCountry?: string;
  narrative?: string;
  recipient?: Partial<PaymentParty>;
}

/** The facts of a review from which its payment can be screened again. */
export const factsOfParty = (party: PaymentParty): Partial<PaymentParty> =>
  Object.fromEntries(Object.entries<string | readonly string[]>({ ...party }).filter(([, value]) => value.length > 0));

/** Who a payment was screened for, by the facts that its review keeps. */
export function screenedParties({ senderName, recipientName, sender, recipient }: PaymentFacts): Names[] {
  return [
    ...namesOfParty({ fullName: senderName }, { ...unknownParty, ...sender }),
    ...(recipientName === undefined
      ? []
      : namesOfParty({ fullName: recipientName }, { ...unknownParty, ...recipient })),
  ];
}
