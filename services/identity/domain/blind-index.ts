/** Makes keyed hashes of words: equal words have equal hashes, which do not reveal the words. */
export interface Digests {
  index(...words: readonly string[]): string;
}

/** The hashes of each tenant. Replacing the key that seals a tenant's own key does not change them, so that unique values stay unique. */
export interface BlindIndex {
  of(tenant: string): Promise<Digests>;
}

/** An identity document as named in a person's record. */
export type IdentityDocument = { [name in "identificationType" | "identification"]?: string | undefined };

/** The blind index of a person's identity document, however its number is spaced; undefined without a document. */
export function documentIndexOf(
  digests: Digests,
  { identificationType = "", identification }: IdentityDocument,
): string | undefined {
  if (identification === undefined) return undefined;
  return digests.index(identificationType, comparableNumber(identification));
}

/** The key owner for digests of numbers that are searched for in all tenants. It is not the slug of any tenant. */
const everyTenant = "*";

/**
 * The blind index of a document's number alone, for every kind of document; undefined without a number. It is the same in every tenant, so
 * that operators find a number in any tenant.
 */
export const numberIndexOf = async (
  index: BlindIndex,
  { identification }: Pick<IdentityDocument, "identification">,
): Promise<string | undefined> =>
  identification === undefined
    ? undefined
    : (await index.of(everyTenant)).index("number alone", comparableNumber(identification), "any kind");

/** Returns the normalised number of a document: without differences of case, spaces, dots and dashes. */
export const comparableNumber = (number: string): string => number.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
