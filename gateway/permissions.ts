import type { OperatorRole, TenantRole } from "../services/shared/kernel/roles";

/** All of a tenant's people may see data that names no person or address. */
const viewer = [
  "session:own",
  "reference:read",
  "quotes:read",
  "payments:read",
  "balances:read",
  "wallets:read",
  "webhooks:read",
  "events:read",
  "compliance:read",
] as const;

const developer = [
  ...viewer,
  "agents:read",
  "credentials:read",
  "webhooks:manage",
  "webhooks:secrets",
  "webhooks:redeliver",
] as const;

/** People who pay may see names, addresses and documents of persons. */
const finance = [
  ...viewer,
  "quotes:create",
  "payments:detail",
  "payments:create",
  "payments:capture",
  "payments:void",
  "payments:refund",
  "payments:cancel",
  "payments:annotate",
  "payout-accounts:read",
  "payout-accounts:manage",
  "search:use",
  "checks:make",
  "wallets:create",
  "wallets:move",
  "people:read",
  "people:manage",
  "documents:read",
  "documents:upload",
  "kyc:read",
  "kyc:open",
] as const;

const admin = [...developer, ...finance, "agents:create", "credentials:manage", "users:read", "users:manage"] as const;

export type TenantPermission = (typeof admin)[number];

/** Permissions of each role of a tenant's people. */
const tenantRolePermissions: Readonly<Record<TenantRole, readonly TenantPermission[]>> = {
  viewer,
  developer,
  finance,
  admin,
};

/** Permissions of every operator. */
const operator = ["session:own", "tenants:read", "approvals:use"] as const;

/** Support staff may see data that is not personal. */
const support = [
  ...operator,
  "clients:read",
  "credentials:read",
  "agents:read",
  "signing-keys:read",
  "payments:read",
  "events:read",
  "search:use",
  "holds:read",
  "cases:read",
  "reviews:read",
  "exceptions:read",
  "rates:read",
  "exposure:read",
  "breaks:read",
  "ledger:read",
  "documents:list",
  "bus:read",
  "erasures:read",
  "webhooks:read",
  "key-rings:read",
  "users:read",
] as const;

const compliance = [
  ...operator,
  "persons:see",
  "agents:read",
  "payments:read",
  "events:read",
  "search:use",
  "holds:read",
  "reviews:read",
  "reviews:detail",
  "reviews:decide",
  "reviews:release",
  "reviews:report",
  "exceptions:read",
  "exceptions:revoke",
  "participants:find",
  "participants:erase",
  "documents:list",
  "documents:read",
  "documents:decide",
  "erasures:read",
  "audit:read",
] as const;

const treasury = [
  ...operator,
  "payments:read",
  "payments:reverse",
  "search:use",
  "holds:read",
  "holds:reject",
  "cases:read",
  "cases:command",
  "wallets:freeze",
  "rates:read",
  "rates:release",
  "exposure:read",
  "exposure:limit",
  "breaks:read",
  "breaks:resolve",
  "reconciliation:run",
  "ledger:read",
  "ledger:verify",
  "ledger:correct",
  "ledger:floors",
] as const;

const platform = [
  ...operator,
  "tenants:manage",
  "clients:read",
  "clients:manage",
  "credentials:read",
  "credentials:create",
  "credentials:manage",
  "agents:read",
  "agents:decide",
  "signing-keys:read",
  "signing-keys:manage",
  "events:read",
  "bus:read",
  "bus:replay",
  "webhooks:read",
  "key-rings:read",
  "key-rings:renew",
  "audit:read",
  "users:read",
  "users:manage",
  "users:end-sessions",
] as const;

export type OperatorPermission = (typeof support | typeof compliance | typeof treasury | typeof platform)[number];

/** Permissions of each role of operators. */
const operatorRolePermissions: Readonly<Record<OperatorRole, readonly OperatorPermission[]>> = {
  support,
  compliance,
  treasury,
  platform,
};

const allowedBy = <Role extends string, Permission>(
  sets: Readonly<Record<Role, readonly Permission[]>>,
  permission: Permission | undefined,
): readonly Role[] =>
  permission === undefined ? [] : (Object.keys(sets) as Role[]).filter((role) => sets[role].includes(permission));

/** Returns the roles of a tenant's people that have a permission; none for a permission that no role has. */
export const tenantRolesWith = (permission: TenantPermission | undefined): readonly TenantRole[] =>
  allowedBy(tenantRolePermissions, permission);

/** The same for operators. */
export const operatorRolesWith = (permission: OperatorPermission | undefined): readonly OperatorRole[] =>
  allowedBy(operatorRolePermissions, permission);

/** Returns all permissions of the given roles together; roles of the other side allow nothing. */
export function permissionsOf(roles: readonly string[], isOperator: boolean): readonly string[] {
  const sets: Readonly<Record<string, readonly string[]>> = isOperator
    ? operatorRolePermissions
    : tenantRolePermissions;
  return [...new Set(roles.flatMap((role) => sets[role] ?? []))].toSorted();
}
