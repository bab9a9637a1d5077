import { type Clock, plusMs } from "../../shared/clock";
import type { Tenant } from "../domain/directory";
import type { ClientStore } from "../store/client-store";
import type { TenantStore } from "../store/tenant-store";

export interface GetAccessRulesDeps {
  tenants: Pick<TenantStore, "all">;
  clients: Pick<ClientStore, "disabledSince">;
  clock: Clock;
  /** Longest life of a token, leeway included: who was disabled before that has no live token. */
  tokenLifeMs: number;
}

/** What a verifier of tokens must know beside the keys. */
export type GetAccessRules = () => Promise<{ tenants: Tenant[]; disabledClients: string[] }>;

export const makeGetAccessRules =
  ({ tenants, clients, clock, tokenLifeMs }: GetAccessRulesDeps): GetAccessRules =>
  async () => {
    const from = plusMs(clock.now(), -tokenLifeMs);
    const [all, disabledClients] = await Promise.all([tenants.all(), clients.disabledSince(from)]);
    return { tenants: all, disabledClients };
  };
