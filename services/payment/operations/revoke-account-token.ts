import { DomainError } from "../../shared/kernel/errors";
import type { AccountTokenStore } from "../store/account-token-store";

export type RevokeAccountToken = (tenant: string, accountTokenId: string) => Promise<void>;

/** Revokes a token, so that it no longer opens an account; repeatable. Throws PAYMENT_NOT_FOUND when the tenant has no such token. */
export const makeRevokeAccountToken =
  ({ accounts }: { accounts: Pick<AccountTokenStore, "revoke"> }): RevokeAccountToken =>
  async (tenant, accountTokenId) => {
    const isKnown = await accounts.revoke(tenant, accountTokenId);
    if (!isKnown) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such account token");
  };
