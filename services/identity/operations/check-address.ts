import { alpha3ToAlpha2 } from "i18n-iso-countries";
import type { FieldViolation } from "../../shared/kernel/errors";
import { normaliseAddress, oddPostalCode, type StructuredAddress, structuredReadiness } from "../domain/address";
import { type AddressFields, type GivenAddress, parseAddress } from "../domain/person-fields";
import type { PersonSchemas } from "../ports";

export interface CheckedAddress {
  normalised: AddressFields;
  /** Parts that the country requires and the address lacks. */
  missing: readonly string[];
  /** Parts that break a rule of the country, or do not have the form that it uses. */
  wrong: readonly FieldViolation[];
  structured: StructuredAddress;
}

const prefix = "address.";

/**
 * Returns the cleaned address, the parts that its country requires and it lacks, and whether payment messages can carry it. A country may
 * be given by either code, in capitals or not. Throws INVALID_ARGUMENT for parts that no address can have, and UNAVAILABLE.
 */
export async function checkAddress(
  schemas: Pick<PersonSchemas, "check">,
  given: GivenAddress,
): Promise<CheckedAddress> {
  const normalised = readAddress(normaliseAddress(given));
  const { countryCode } = normalised;
  const found = countryCode === undefined ? [] : await schemas.check(countryCode, { address: normalised });
  const broken = found.flatMap(({ field, message }) =>
    field.startsWith(prefix) ? [{ field: field.slice(prefix.length), message }] : [],
  );
  const isThere = ({ field }: FieldViolation): boolean => Object.hasOwn(normalised, field);
  const missing = broken.filter((one) => !isThere(one)).map(({ field }) => field);
  return {
    normalised,
    missing: [...(countryCode === undefined ? ["countryCode"] : []), ...new Set(missing)],
    wrong: [...broken.filter(isThere), ...oddPostalCode(normalised)],
    structured: structuredReadiness(normalised),
  };
}

/** Reads the address by the rules of a person's. */
function readAddress(cleaned: GivenAddress): AddressFields {
  const { countryCode } = cleaned;
  const alpha2 = countryCode?.length === 3 ? alpha3ToAlpha2(countryCode) : undefined;
  return parseAddress({ ...cleaned, ...(alpha2 !== undefined && { countryCode: alpha2 }) });
}
