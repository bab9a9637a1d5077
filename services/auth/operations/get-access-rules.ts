import { type Clock, plusMs, systemClock } from "../../shared/kernel/clock";
import type { ReplicaRegistry } from "../../shared/storage/replica-registry";
import type { Tenant } from "../domain/directory";
import type { ClientStore } from "../store/client-store";
import type { CredentialStore, SecretRule } from "../store/credential-store";
import type { RevokedTokenStore } from "../store/revoked-token-store";
import type { TenantStore } from "../store/tenant-store";

export interface GetAccessRulesDeps {
  tenants: Pick<TenantStore, "all">;
  clients: Pick<ClientStore, "disabledSince">;
  credentials: Pick<CredentialStore, "secretRules">;
  revokedTokens: Pick<RevokedTokenStore, "liveAt">;
  verifiers: Pick<ReplicaRegistry, "note" | "countSince">;
  clock: Clock;
  /** Longest life of a token, leeway included: a client disabled earlier has no live token. */
  tokenLifeMs: number;
}

/** A verifier asks every ten seconds; one that has been silent this long is gone. */
const verifierLivesMs = 30_000;

/** Returns what a verifier of tokens needs besides the keys, and the number of verifiers. Records the caller as one. */
export type GetAccessRules = (verifierId: string) => Promise<{
  tenants: Tenant[];
  disabledClients: string[];
  secrets: SecretRule[];
  revokedTokens: string[];
  verifiers: number;
}>;

export const makeGetAccessRules =
  ({
    tenants,
    clients,
    credentials,
    revokedTokens,
    verifiers,
    clock,
    tokenLifeMs,
  }: GetAccessRulesDeps): GetAccessRules =>
  async (verifierId) => {
    // Verifiers are counted in real time, whatever the business time is.
    const now = systemClock.now();
    await verifiers.note(verifierId, now);
    const [all, disabledClients, secrets, revoked, count] = await Promise.all([
      tenants.all(),
      clients.disabledSince(plusMs(clock.now(), -tokenLifeMs)),
      credentials.secretRules(plusMs(clock.now(), -tokenLifeMs)),
      revokedTokens.liveAt(clock.now()),
      verifiers.countSince(plusMs(now, -verifierLivesMs)),
    ]);
    return { tenants: all, disabledClients, secrets, revokedTokens: revoked, verifiers: count };
  };
