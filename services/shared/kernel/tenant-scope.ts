import { invalid } from "./errors";

/** Whose things are meant: a tenant's, or everybody's. */
export type TenantScope = { tenant: string } | "all tenants";

/** Whose things a caller asks for. Nobody gets everybody's by leaving something out: throws INVALID_ARGUMENT. */
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

/** True for what the tenant has, or anybody. */
export const isInScope = (scope: TenantScope, tenant: string): boolean =>
  scope === "all tenants" || scope.tenant === tenant;

/** Longest id that anything has. */
const maxIdLength = 255;

/** Throws INVALID_ARGUMENT for what is no id. */
export function requireAnyId(id: string): string {
  if (id !== "" && id.length <= maxIdLength) return id;
  throw invalid([{ field: "id", message: `must be 1 to ${maxIdLength} characters` }]);
}
