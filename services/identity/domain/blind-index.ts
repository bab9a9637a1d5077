/** Makes keyed hashes of words: equal words have equal hashes, which reveal none of them. */
export interface Digests {
  index(...words: readonly string[]): string;
}

/** The hashes of each tenant. Replacing the key that seals a tenant's own leaves them as they are, so that what is unique stays so. */
export interface BlindIndex {
  of(tenant: string): Promise<Digests>;
}

/** An identity document as a person's record names it. */
export type IdentityDocument = { [name in "identificationType" | "identification"]?: string | undefined };

/** The blind index of a person's identity document, however its number is spaced; undefined without a document. */
export function documentIndexOf(
  digests: Digests,
  { identificationType = "", identification }: IdentityDocument,
): string | undefined {
  if (identification === undefined) return undefined;
  return digests.index(identificationType, comparableNumber(identification));
}

/** Whose digests a number that is looked for in all tenants has. It is no tenant's slug. */
const everyTenant = "*";

/**
 * The blind index of a document's number alone, whatever kind of document it is of; undefined without a number. It is the same in
 * every tenant, so that operators find a number whoever has it.
 */
export const numberIndexOf = async (
  index: BlindIndex,
  { identification }: Pick<IdentityDocument, "identification">,
): Promise<string | undefined> =>
  identification === undefined
    ? undefined
    : (await index.of(everyTenant)).index("number alone", comparableNumber(identification), "any kind");

/** The number of a document without what people write it with: case, spaces, dots and dashes. */
export const comparableNumber = (number: string): string => number.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
