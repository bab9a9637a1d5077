import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { allowsAddress, makeNetworks } from "../../shared/kernel/networks";
import type { Profile } from "../../shared/kernel/profile";
import { commonScopes, earlier, hasExpired, isAllowedFrom } from "../domain/credential-bounds";
import type { Credential } from "../domain/directory";
import type { AgentStore } from "../store/agent-store";
import type { TenantStore } from "../store/tenant-store";
import type { FindHolder } from "./find-holder";

export interface AuthenticateKeyDeps {
  findHolder: FindHolder;
  tenants: Pick<TenantStore, "find">;
  agents: Pick<AgentStore, "find">;
  env: Profile;
  clock: Clock;
}

export interface PresentedKeys {
  apiKey: string;
  agentId: string | undefined;
  agentApiKey: string | undefined;
  address: string;
}

export interface Caller {
  tenant: string;
  agentId: string | undefined;
  /** Scopes that all presented keys allow; undefined: all. */
  scopes: readonly string[] | undefined;
  /** When the first of them expires. */
  expiresAt: Date | undefined;
}

export type AuthenticateKey = (keys: PresentedKeys) => Promise<Caller>;

/**
 * Authenticates a caller. Checks the tenant's allowlist first, then its key: without a valid key the answer reveals nothing
 * about agents or the bounds of the key.
 */
export const makeAuthenticateKey =
  (deps: AuthenticateKeyDeps): AuthenticateKey =>
  async ({ apiKey, agentId, agentApiKey, address }) => {
    const { claimed, holder } = await deps.findHolder("key", apiKey);
    const tenant = await deps.tenants.find(claimed?.tenant ?? "");
    if (tenant !== undefined && !allowsAddress(deps.env, tenant.allowlist, makeNetworks(tenant.allowlist), address)) {
      throw new DomainError("ADDRESS_REFUSED", "calls from this address are not allowed");
    }
    const now = deps.clock.now();
    if (holder === undefined || tenant === undefined || tenant.isDisabled || hasExpired(holder.bounds, now)) {
      throw new DomainError("UNAUTHENTICATED", "x-api-key is not valid");
    }
    requireAddress(holder, address);
    const { scopes, expiresAt } = holder.bounds;
    if (agentId === undefined && agentApiKey === undefined) {
      return { tenant: tenant.slug, agentId: undefined, scopes, expiresAt };
    }
    const { holder: agentKey } = await deps.findHolder("agent", agentApiKey ?? "");
    const isOwn = agentKey?.tenant === tenant.slug && agentKey.owner === agentId;
    const agent = isOwn ? await deps.agents.find(tenant.slug, agentKey.owner) : undefined;
    if (agentKey === undefined || agent?.status !== "ACTIVE" || hasExpired(agentKey.bounds, now)) {
      throw new DomainError("AGENT_REFUSED", "agent credentials are not valid or the agent is not approved");
    }
    requireAddress(agentKey, address);
    return {
      tenant: tenant.slug,
      agentId: agent.id,
      scopes: commonScopes(scopes, agentKey.bounds.scopes),
      expiresAt: earlier(expiresAt, agentKey.bounds.expiresAt),
    };
  };

function requireAddress({ bounds }: Pick<Credential, "bounds">, address: string): void {
  if (!isAllowedFrom(bounds, address)) {
    throw new DomainError("ADDRESS_REFUSED", "the key does not work from this address");
  }
}
