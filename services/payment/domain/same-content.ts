import { DomainError } from "../../shared/kernel/errors";

/** Version of the rules that turn a payment into the hashes of its content. A release that changes the hashing increments it. */
export const contentVersion = 2;

/** Content of a request that was accepted. */
export interface Content {
  version: number;
  /** Hash of each part that the request had, named as in the REST API. */
  hashes: Readonly<Record<string, string>>;
}

/** The most parts that a refusal names, since callers choose some of the names. */
const maxNamed = 20;

/**
 * Returns the names of the parts in which a request differs from the one that was accepted under its id, in order. Throws UNAVAILABLE for
 * content of a later version, which only replicas of a later release can compare.
 */
export function differentFields(first: Content, hashes: Content["hashes"]): readonly string[] {
  if (first.version > contentVersion) {
    throw new DomainError("UNAVAILABLE", "this replica is too old to compare the request with the first one");
  }
  const names = new Set([...Object.keys(first.hashes), ...Object.keys(hashes)]);
  return [...names]
    .filter((name) => first.hashes[name] !== hashes[name])
    .toSorted()
    .slice(0, maxNamed);
}

/** Refuses a different request under an id that was used; `details.fields` names the parts that differ. */
export function requireSameContent(first: Content, hashes: Content["hashes"]): void {
  const fields = differentFields(first, hashes);
  if (fields.length > 0) throw new DomainError("IDEMPOTENCY_CONFLICT", usedFor(fields), { details: { fields } });
}

/** Says in which parts a request differs from the one that used its id. */
export const usedFor = (fields: readonly string[]): string =>
  `externalPaymentId was used with different content: ${fields.join(", ")}`;
