import type { CredentialKind } from "../../shared/crypto/credential";
import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { Profile } from "../../shared/kernel/profile";
import { type CredentialBounds, parseBounds } from "../domain/credential-bounds";
import type { CredentialHasher } from "../domain/credential-hash";
import { type Credential, credentialSlots } from "../domain/directory";
import { newCredential } from "../domain/new-credential";
import type { AgentStore } from "../store/agent-store";
import type { ClientStore } from "../store/client-store";
import type { CredentialStore } from "../store/credential-store";
import type { TenantStore } from "../store/tenant-store";

export interface CreateCredentialDeps {
  tenants: Pick<TenantStore, "find">;
  clients: Pick<ClientStore, "find">;
  agents: Pick<AgentStore, "find">;
  credentials: Pick<CredentialStore, "add">;
  hasher: CredentialHasher;
  env: Profile;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
}

export interface CredentialRequest {
  tenant: string;
  kind: CredentialKind;
  owner: string;
  bounds: CredentialBounds;
}

export type CreateCredential = (
  request: CredentialRequest,
) => Promise<{ credential: Omit<Credential, "slot" | "lastUsedAt">; text: string }>;

/**
 * Makes a credential beside the present one, so that its holder can switch without a gap. Throws RECORD_NOT_FOUND when the
 * tenant has no such owner, INVALID_ARGUMENT for invalid bounds, and RECORD_CONFLICT when two are live already.
 */
export const makeCreateCredential =
  (deps: CreateCredentialDeps): CreateCredential =>
  async ({ tenant, kind, owner, bounds: given }) => {
    const createdAt = deps.clock.now();
    const bounds = parseBounds(kind, given, createdAt);
    if (!(await hasOwner(deps, { tenant, kind, owner }))) {
      throw new DomainError("RECORD_NOT_FOUND", "the owner is neither the tenant nor one of its agents or clients");
    }
    const { env, hasher, ids } = deps;
    const made = newCredential({ kind, tenant, owner, env, hasher, ids, bounds, createdAt });
    if (await deps.credentials.add(made.credential)) return made;
    throw new DomainError(
      "RECORD_CONFLICT",
      `${credentialSlots.length} credentials of this owner are live; revoke one first`,
    );
  };

async function hasOwner(
  deps: CreateCredentialDeps,
  { tenant, kind, owner }: Omit<CredentialRequest, "bounds">,
): Promise<boolean> {
  switch (kind) {
    case "key":
      return owner === tenant && (await deps.tenants.find(tenant)) !== undefined;
    case "secret":
      return (await deps.clients.find(owner))?.tenant === tenant;
    case "agent":
      return (await deps.agents.find(tenant, owner)) !== undefined;
  }
}
