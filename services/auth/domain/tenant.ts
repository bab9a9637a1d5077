import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { isNetwork } from "../../shared/kernel/networks";
import { type Scope, scopes } from "../../shared/kernel/scopes";

const mostNetworks = 100;
const mostCertificates = 20;

/** Returns a valid tenant slug. Throws INVALID_ARGUMENT. */
export function parseSlug(slug: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)) return slug;
  throw invalid([{ field: "tenant", message: "must be 1 to 63 of lower-case letters, digits and hyphens" }]);
}

/** Networks of an allowlist without duplicates. Throws INVALID_ARGUMENT. */
export function parseAllowlist(texts: readonly string[]): readonly string[] {
  return parseList(texts, "allowlist", `must be at most ${mostNetworks} networks in CIDR form`, isAllowlist(texts));
}

/** True for a list of networks in CIDR form, not too many. */
export const isAllowlist = (texts: readonly string[]): boolean =>
  texts.length <= mostNetworks && texts.every(isNetwork);

/** Normalises SHA-256 fingerprints as openssl and browsers write them. Throws INVALID_ARGUMENT. */
export function parseCertificates(texts: readonly string[]): readonly string[] {
  const plain = texts.map((text) => text.replaceAll(":", "").toLowerCase());
  const isGood = plain.length <= mostCertificates && plain.every((text) => /^[0-9a-f]{64}$/.test(text));
  return parseList(plain, "certificates", `must be at most ${mostCertificates} SHA-256 fingerprints in hex`, isGood);
}

/** Scopes of a client in the listed order. Throws INVALID_ARGUMENT for an empty list and for unknown scopes. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  const known = scopes.filter((scope) => texts.includes(scope));
  const isGood = known.length > 0 && texts.every((text) => scopes.some((scope) => scope === text));
  parseList(texts, "scopes", `must be some of ${scopes.join(", ")}`, isGood);
  return known;
}

/** Returns a valid OAuth client id. Throws INVALID_ARGUMENT. */
export function parseClientId(id: string): string {
  if (/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/.test(id)) return id;
  throw invalid([
    {
      field: "clientId",
      message: "must be 1 to 255 of letters, digits, dot, underscore and hyphen, and not '.' or '..'",
    },
  ]);
}

function parseList(texts: readonly string[], field: string, message: string, isGood: boolean): readonly string[] {
  if (!isGood) throw invalid([{ field, message } satisfies FieldViolation]);
  return [...new Set(texts)];
}
