import type { CredentialKind } from "../../shared/crypto/credential";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { makeNetworks } from "../../shared/kernel/networks";
import { keyScopes, scopes } from "../../shared/kernel/scopes";
import { isAllowlist } from "./tenant";

/** Limits of a credential beyond those of its owner. */
export interface CredentialBounds {
  /** Scopes that calls may use; undefined: all. */
  scopes: readonly string[] | undefined;
  /** The credential works before this instant; undefined: until it is revoked. */
  expiresAt: Date | undefined;
  /** Networks in CIDR form from which it works; empty: all that its tenant allows. */
  allowlist: readonly string[];
}

export const unbound: CredentialBounds = { scopes: undefined, expiresAt: undefined, allowlist: [] };

/** Scopes that each kind of credential can be bound to: token scopes for a client secret, key scopes for the others. */
const scopesOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  key: keyScopes,
  agent: keyScopes,
  secret: scopes,
};

/** Checks bounds for a kind of credential and sorts the scopes. Throws INVALID_ARGUMENT with every problem. */
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

/** True when any bound is set. */
export const isBound = ({ scopes: allowed, expiresAt, allowlist }: CredentialBounds): boolean =>
  allowed !== undefined || expiresAt !== undefined || allowlist.length > 0;

/** True from the instant of expiry on. */
export const hasExpired = ({ expiresAt }: CredentialBounds, now: Date): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** True for an allowed address. Unlike a tenant's list it applies in every profile, since it is set deliberately. */
export const isAllowedFrom = ({ allowlist }: CredentialBounds, address: string): boolean =>
  allowlist.length === 0 || makeNetworks(allowlist).includes(address);

/** The scopes that both of two credentials allow. */
export function commonScopes(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((scope) => other.includes(scope));
}

/** The earlier of two instants; undefined means never. */
export const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one < other ? one : other;
