import { invalid } from "./errors";

/** The scope of a query: one tenant, or all of them. */
export type TenantScope = { tenant: string } | "all tenants";

/** Returns the scope that a caller names. Throws INVALID_ARGUMENT when it names none: omission never means all tenants. */
export function requireScope({
  tenant,
  allTenants,
}: {
  tenant?: string | undefined;
  allTenants: boolean;
}): TenantScope {
  if (tenant !== undefined && tenant !== "" && !allTenants) return { tenant };
  if (tenant === undefined && allTenants) return "all tenants";
  throw invalid([{ field: "tenant", message: "must be given, or all_tenants instead of it" }]);
}

/** True when objects of the tenant are in the scope. */
export const isInScope = (scope: TenantScope, tenant: string): boolean =>
  scope === "all tenants" || scope.tenant === tenant;

/** Longest id of any object. */
const maxIdLength = 255;

/** Returns the id. Throws INVALID_ARGUMENT when it is malformed. */
export function requireAnyId(id: string): string {
  if (id !== "" && id.length <= maxIdLength) return id;
  throw invalid([{ field: "id", message: `must be 1 to ${maxIdLength} characters` }]);
}
