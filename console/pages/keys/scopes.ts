/** Scopes that keys of the tenant and of its agents can be bound to. A test compares them with the platform's. */
export const keyScopes: readonly string[] = ["payments", "fx", "schemas", "persons", "banks", "agents", "webhooks"];

/** Scopes that tokens of a client can have. */
export const clientScopes: readonly string[] = [
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
];
