/** Scopes that keys of the tenant and of its agents can be bound to. A test compares them with the platform's. */
export const keyScopes = ["payments", "fx", "schemas", "persons", "banks", "agents", "webhooks"] as const;

export type KeyScope = (typeof keyScopes)[number];

/** Scopes that tokens of a client can have. */
export const clientScopes = [
  "payments",
  "fx",
  "schemas",
  "persons",
  "checks",
  "banks",
  "balance",
  "wallets",
  "sessions",
  "verifications",
] as const;

export type ClientScope = (typeof clientScopes)[number];
