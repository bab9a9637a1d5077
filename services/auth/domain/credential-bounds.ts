import type { CredentialKind } from "../../shared/crypto/credential";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { makeNetworks } from "../../shared/kernel/networks";
import { keyScopes, scopes } from "../../shared/kernel/scopes";
import { isAllowlist } from "./tenant";

/** What narrows a credential beside what its owner may do. */
export interface CredentialBounds {
  /** What calls with it may do; undefined: everything. */
  scopes: readonly string[] | undefined;
  /** From when on it does not work; undefined: it works until it is revoked. */
  expiresAt: Date | undefined;
  /** Networks in CIDR form from which it works; none: from all that its tenant allows. */
  allowlist: readonly string[];
}

export const unbound: CredentialBounds = { scopes: undefined, expiresAt: undefined, allowlist: [] };

/** Scopes that a credential of each kind can be bound to: those of tokens for a client secret, those of keys else. */
const scopesOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  key: keyScopes,
  agent: keyScopes,
  secret: scopes,
};

/** Bounds of a credential of this kind, scopes in the listed order. Throws INVALID_ARGUMENT with all that is wrong. */
export function parseBounds(kind: CredentialKind, given: CredentialBounds, now: Date): CredentialBounds {
  const known = scopesOf[kind];
  const { scopes: wanted, expiresAt, allowlist } = given;
  const violations: FieldViolation[] = [];
  if (wanted !== undefined && (wanted.length === 0 || !wanted.every((scope) => known.includes(scope)))) {
    violations.push({ field: "scopes", message: `must be some of ${known.join(", ")}` });
  }
  if (expiresAt !== undefined && expiresAt <= now) {
    violations.push({ field: "expiresAt", message: "must be in the future; to end a credential now, revoke it" });
  }
  if (!isAllowlist(allowlist)) {
    violations.push({ field: "allowlist", message: "must be at most 100 networks in CIDR form" });
  }
  if (violations.length > 0) throw invalid(violations);
  return {
    scopes: wanted === undefined ? undefined : known.filter((scope) => wanted.includes(scope)),
    expiresAt,
    allowlist: [...new Set(allowlist)],
  };
}

/** True when one of the bounds is set. */
export const isBound = ({ scopes: allowed, expiresAt, allowlist }: CredentialBounds): boolean =>
  allowed !== undefined || expiresAt !== undefined || allowlist.length > 0;

/** True from the moment on in which it ends. */
export const hasExpired = ({ expiresAt }: CredentialBounds, now: Date): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** True for an address from which it works. Unlike the list of a tenant it counts in every profile: somebody set it. */
export const isAllowedFrom = ({ allowlist }: CredentialBounds, address: string): boolean =>
  allowlist.length === 0 || makeNetworks(allowlist).includes(address);

/** What two credentials together allow. */
export function commonScopes(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((scope) => other.includes(scope));
}

/** The earlier of two ends. */
export const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one < other ? one : other;
