import type { FieldViolation } from "../../shared/kernel/errors";
import { postalCodeForm } from "../../shared/kernel/postal-code";
import type { AddressFields, GivenAddress } from "./person-fields";

/** Parts of an address under their names in a payment message (ISO 20022, PostalAddress), with the longest length of each. */
const structuredParts = [
  { name: "townName", field: "city", longest: 35, isRequired: true },
  { name: "country", field: "countryCode", longest: 2, isRequired: true },
  { name: "postCode", field: "postalCode", longest: 16, isRequired: false },
  { name: "countrySubDivision", field: "state", longest: 35, isRequired: false },
  { name: "addressLine1", field: "addressLine1", longest: 70, isRequired: false },
  { name: "addressLine2", field: "addressLine2", longest: 70, isRequired: false },
] as const;

/** Whether an address can go into a payment message as structured data: town and country are needed. */
export interface StructuredAddress {
  isReady: boolean;
  missing: readonly string[];
  /** Parts that are too long for a payment message. */
  tooLong: readonly string[];
}

/** Returns an address without artefacts of typing: spaces, control characters, other forms of the same letters. */
export function normaliseAddress(given: GivenAddress): GivenAddress {
  const cleaned = Object.entries(given).map(([name, value = ""]) => {
    const text = value
      .normalize("NFC")
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim();
    const isCode = name === "postalCode" || name === "countryCode";
    return [name, isCode ? text.toUpperCase() : text] as const;
  });
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ""));
}

/** Returns a violation for a postal code that has none of its country's forms. */
export function oddPostalCode({ countryCode = "", postalCode }: AddressFields): FieldViolation[] {
  const form = postalCode === undefined ? undefined : postalCodeForm(countryCode, postalCode);
  return form === undefined ? [] : [{ field: "postalCode", message: `does not look like ${form}` }];
}

export function structuredReadiness(address: AddressFields): StructuredAddress {
  const missing = structuredParts.filter(({ field, isRequired }) => isRequired && address[field] === undefined);
  const tooLong = structuredParts.filter(({ field, longest }) => (address[field]?.length ?? 0) > longest);
  const names = (parts: readonly { name: string }[]): string[] => parts.map(({ name }) => name);
  return {
    isReady: missing.length === 0 && tooLong.length === 0,
    missing: names(missing),
    tooLong: names(tooLong),
  };
}
