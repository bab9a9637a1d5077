import { createHmac } from "node:crypto";

/** A keyed hash of words within a tenant: equal words are found by it, and it tells none of them. */
export type BlindIndex = (tenant: string, ...words: readonly string[]) => string;

export const makeBlindIndex =
  (key: Buffer): BlindIndex =>
  (...words) =>
    createHmac("sha256", key).update(JSON.stringify(words)).digest("hex");

/** An identity document as a person's record names it. */
export type IdentityDocument = { [name in "identificationType" | "identification"]?: string | undefined };

/** The blind index of a person's identity document, however its number is spaced; undefined without a document. */
export function documentIndexOf(
  index: BlindIndex,
  tenant: string,
  { identificationType = "", identification }: IdentityDocument,
): string | undefined {
  if (identification === undefined) return undefined;
  return index(tenant, identificationType, comparableNumber(identification));
}

/** No tenant's slug. */
const everybody = "*";

/**
 * The blind index of a document's number alone, whatever kind of document it is of; undefined without a number. It is the same in
 * every tenant, so that operators find a number whoever has it.
 */
export const numberIndexOf = (
  index: BlindIndex,
  { identification }: Pick<IdentityDocument, "identification">,
): string | undefined =>
  identification === undefined
    ? undefined
    : index(everybody, "number alone", comparableNumber(identification), "any kind");

/** The number of a document without what people write it with: case, spaces, dots and dashes. */
export const comparableNumber = (number: string): string => number.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
