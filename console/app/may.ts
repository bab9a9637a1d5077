/** Permissions that pages ask for; the gateway says which roles have them. */
export type Permission =
  | "audit:read"
  | "cases:command"
  | "cases:read"
  | "clients:read"
  | "ledger:read"
  | "ledger:verify"
  | "payments:create"
  | "payments:read"
  | "people:read"
  | "quotes:create"
  | "reviews:decide"
  | "reviews:read"
  | "tenants:manage"
  | "users:manage"
  | "webhooks:manage"
  | "webhooks:redeliver"
  | "agents:read";
