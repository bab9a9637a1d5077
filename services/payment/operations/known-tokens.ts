import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { CardTokens, GivenToken } from "../domain/check-ports";
import type { AccountTokenStore } from "../store/account-token-store";

export interface KnownTokensDeps {
  cardTokens: CardTokens;
  accountTokens: Pick<AccountTokenStore, "isKnown">;
}

/**
 * Throws INVALID_ARGUMENT for each token that belongs to no card and to no checked account of the tenant, worded the same whether no
 * tenant or another tenant has it. A token that was revoked is known: payments that use it are declined.
 */
export async function requireKnownTokens(
  { cardTokens, accountTokens }: KnownTokensDeps,
  tenant: string,
  tokens: readonly GivenToken[],
): Promise<void> {
  const isKnown = ({ kind, token }: GivenToken): Promise<boolean> =>
    kind === "card" ? cardTokens.mayExist(token) : accountTokens.isKnown(tenant, token);
  const asked = await Promise.all(tokens.map(async (given) => ({ given, isKnown: await isKnown(given) })));
  const violations = asked
    .filter((one) => !one.isKnown)
    .map(({ given: { field, kind } }): FieldViolation => ({ field, message: `must be a known ${kind} token` }));
  if (violations.length > 0) throw invalid(violations);
}
