/** The roles of operators. An operator may have several roles; one with all roles may call everything. */
export const operatorRoles = ["support", "compliance", "treasury", "platform"] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** The roles of a tenant's people. */
export const tenantRoles = ["viewer", "developer", "finance", "admin"] as const;

export type TenantRole = (typeof tenantRoles)[number];
