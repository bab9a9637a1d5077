import { DomainError } from "../../shared/kernel/errors";

/** Version of the rules that hash a request's content. A release that hashes differently increments it. */
export const contentVersion = 2;

/** Content of a request that was accepted. */
export interface Content {
  version: number;
  /** Keyed hash of each field that the request had. */
  hashes: Readonly<Record<string, string>>;
}

/**
 * Names of the fields in which a request differs from the one that was accepted under its id. Throws UNAVAILABLE for content of
 * a later version, which only replicas of a later release can compare.
 */
export function differingFields(first: Content, hashes: Content["hashes"]): string[] {
  if (first.version > contentVersion) {
    throw new DomainError("UNAVAILABLE", "this replica is too old to compare the request with the first one");
  }
  const names = new Set([...Object.keys(first.hashes), ...Object.keys(hashes)]);
  return [...names].filter((name) => first.hashes[name] !== hashes[name]).toSorted();
}

/** Refuses another request under an id that was used; `details.fields` names the fields that differ. */
export function requireSameContent(first: Content, hashes: Content["hashes"]): void {
  const fields = differingFields(first, hashes);
  if (fields.length === 0) return;
  throw new DomainError("IDEMPOTENCY_CONFLICT", "the id was used with different content", { details: { fields } });
}
