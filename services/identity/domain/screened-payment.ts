import { alpha3ToAlpha2, isValid } from "i18n-iso-countries";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { Names } from "./screening";

/** Facts about a payer or payee beside the name. Empty texts are unknown. */
export interface PaymentParty {
  birthDate: string;
  nationality: string;
  residence: string;
  documents: readonly string[];
  companyName: string;
  bankName: string;
  bankCountry: string;
  /** Further countries connected with the party: an embargo may name them, but they do not distinguish anyone from a namesake. */
  otherCountries: readonly string[];
}

/** For a party without known facts. */
export const unknownParty: PaymentParty = {
  ...{ birthDate: "", nationality: "", residence: "", documents: [] },
  ...{ companyName: "", bankName: "", bankCountry: "", otherCountries: [] },
};

/** Returns the alpha-2 code for either code; empty for an unknown one. */
export function countryOf(code: string): string {
  // Kosovo has no code of ISO 3166-1; both are of the range for users of the standard.
  if (code === "XKX") return "XK";
  if (code.length === 3) return alpha3ToAlpha2(code) ?? "";
  return isValid(code) ? code : "";
}

/** Returns a party in the form for screening. Throws INVALID_ARGUMENT with every malformed field. */
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

/** Returns every subject that is looked up on the lists: the party, and its bank. */
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

/** The facts that a payment was screened by. Parties with only a name are absent. */
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

/** Returns the facts for a review from which its payment can be screened again. */
export const factsOfParty = (party: PaymentParty): Partial<PaymentParty> =>
  Object.fromEntries(Object.entries<string | readonly string[]>({ ...party }).filter(([, value]) => value.length > 0));

/** Returns the subjects that a payment was screened for, from the facts that its review keeps. */
export function screenedParties({ senderName, recipientName, sender, recipient }: PaymentFacts): Names[] {
  return [
    ...namesOfParty({ fullName: senderName }, { ...unknownParty, ...sender }),
    ...(recipientName === undefined
      ? []
      : namesOfParty({ fullName: recipientName }, { ...unknownParty, ...recipient })),
  ];
}
