import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Client } from "../domain/directory";
import { parseScopes } from "../domain/tenant";
import type { ClientStore } from "../store/client-store";

export interface ChangeClientDeps {
  clients: Pick<ClientStore, "change">;
  clock: Clock;
}

export interface ClientChangeRequest {
  tenant: string;
  clientId: string;
  isDisabled: boolean | undefined;
  scopes: readonly string[] | undefined;
}

/** Sets the given fields. Throws INVALID_ARGUMENT, and RECORD_NOT_FOUND when the tenant has no such client. */
export type ChangeClient = (request: ClientChangeRequest) => Promise<Client>;

export const makeChangeClient =
  ({ clients, clock }: ChangeClientDeps): ChangeClient =>
  async ({ tenant, clientId, isDisabled, scopes }) => {
    const changed = await clients.change(tenant, clientId, {
      ...(isDisabled === undefined ? {} : { disabledAt: isDisabled ? clock.now() : null }),
      ...(scopes === undefined ? {} : { scopes: parseScopes(scopes) }),
    });
    if (changed === undefined) throw new DomainError("RECORD_NOT_FOUND", "the tenant has no such client");
    return changed;
  };
