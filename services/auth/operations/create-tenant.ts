import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Tenant } from "../domain/directory";
import { parseSlug } from "../domain/tenant";
import type { TenantStore } from "../store/tenant-store";

export interface CreateTenantDeps {
  tenants: Pick<TenantStore, "add">;
  clock: Clock;
}

/** Adds a tenant without credentials. Throws INVALID_ARGUMENT, and RECORD_CONFLICT when the slug is taken. */
export type CreateTenant = (slug: string) => Promise<Tenant>;

export const makeCreateTenant =
  ({ tenants, clock }: CreateTenantDeps): CreateTenant =>
  async (slug) => {
    const tenant = {
      slug: parseSlug(slug),
      isDisabled: false,
      allowlist: [],
      certificates: [],
      createdAt: clock.now(),
    };
    if (await tenants.add(tenant)) return tenant;
    throw new DomainError("RECORD_CONFLICT", "the slug is taken");
  };
