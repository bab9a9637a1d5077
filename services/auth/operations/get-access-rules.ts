import { type Clock, plusMs, systemClock } from "../../shared/kernel/clock";
import type { Presence } from "../../shared/storage/presence";
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
  verifiers: Pick<Presence, "note" | "countSince">;
  clock: Clock;
  /** Longest life of a token, leeway included: who was disabled before that has no live token. */
  tokenLifeMs: number;
}

/** A verifier asks every ten seconds; one that missed it this long is gone. */
const verifierLivesMs = 30_000;

/** What a verifier of tokens must know beside the keys, and how many verifiers there are. Notes who asks. */
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
    // Presence is a matter of real time, whatever time it is for business.
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
