import { DomainError } from "../../shared/kernel/errors";
import { type Scope, scopes } from "../../shared/kernel/scopes";

/**
 * The scopes of a token: all that the client owns, or the requested ones if it owns them all. An unknown scope and one that
 * is not owned get the same refusal, which does not reveal the scopes that exist.
 */
export function grantScopes(owned: readonly Scope[], requested: string | undefined): readonly Scope[] {
  if (requested === undefined) return scopes.filter((scope) => owned.includes(scope));
  const wanted = new Set(requested.split(" "));
  const granted = scopes.filter((scope) => owned.includes(scope) && wanted.has(scope));
  if (granted.length !== wanted.size) {
    throw new DomainError("OAUTH_INVALID_SCOPE", "scope contains a value that this client cannot have");
  }
  return granted;
}
