import { DomainError } from "../../shared/kernel/errors";
import { type Home, nowhere, tenantOf } from "../domain/user";
import type { IdentityProvider, IdentityProviders } from "../ports";
import type { TenantStore } from "../store/tenant-store";

/** Returns the provider at which the people of a home log in. Throws RECORD_NOT_FOUND where they do not. */
export function requireProvider(providers: IdentityProviders, home: Home): IdentityProvider {
  const provider = home === "operators" ? providers.operators : providers.tenants;
  if (provider === undefined)
    throw new DomainError("RECORD_NOT_FOUND", "no identity provider is configured for this login");
  return provider;
}

/**
 * Returns the home for which a login is stored. A name that is not a tenant's gets a login that ends nowhere, so that outsiders do not learn
 * which tenants exist, and nothing is stored under that name.
 */
export async function homeOfLogin(home: Home, tenants: Pick<TenantStore, "find">): Promise<Home> {
  const tenant = tenantOf(home);
  return tenant === undefined || (await tenants.find(tenant)) !== undefined ? home : nowhere;
}
