import { DomainError } from "../../shared/kernel/errors";
import type { Client } from "../domain/directory";
import { parseClientId, parseScopes } from "../domain/tenant";
import type { ClientStore } from "../store/client-store";
import type { TenantStore } from "../store/tenant-store";

export interface CreateClientDeps {
  tenants: Pick<TenantStore, "find">;
  clients: Pick<ClientStore, "add">;
}

export interface ClientRequest {
  tenant: string;
  clientId: string;
  scopes: readonly string[];
}

/** Adds an OAuth client without a secret. Throws INVALID_ARGUMENT, RECORD_NOT_FOUND for its tenant, and RECORD_CONFLICT. */
export type CreateClient = (request: ClientRequest) => Promise<Client>;

export const makeCreateClient =
  ({ tenants, clients }: CreateClientDeps): CreateClient =>
  async ({ tenant, clientId, scopes }) => {
    const client = { id: parseClientId(clientId), tenant, scopes: parseScopes(scopes), disabledAt: undefined };
    if ((await tenants.find(tenant)) === undefined)
      throw new DomainError("RECORD_NOT_FOUND", "there is no tenant with this slug");
    if (await clients.add(client)) return client;
    throw new DomainError("RECORD_CONFLICT", "the client id is taken");
  };
