import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { CredentialStore } from "../store/credential-store";

export interface RevokeCredentialDeps {
  credentials: Pick<CredentialStore, "revoke">;
  clock: Clock;
}

export type RevokeCredential = (tenant: string, id: string) => Promise<void>;

/** Revokes a credential permanently. Throws RECORD_NOT_FOUND when the tenant has no live credential with this id. */
export const makeRevokeCredential =
  ({ credentials, clock }: RevokeCredentialDeps): RevokeCredential =>
  async (tenant, id) => {
    if (await credentials.revoke(tenant, id, clock.now())) return;
    throw new DomainError("RECORD_NOT_FOUND", "the tenant has no such credential");
  };
