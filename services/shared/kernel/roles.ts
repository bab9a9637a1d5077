/** What operators are for. One may have several roles; whoever has all may call everything. */
export const operatorRoles = ["support", "compliance", "treasury", "platform"] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** What the people of a tenant are for. */
export const tenantRoles = ["viewer", "developer", "finance", "admin"] as const;

export type TenantRole = (typeof tenantRoles)[number];
