/** What keys of the tenant and of its agents can be bound to. A test compares it with what the platform knows. */
export const keyScopes: readonly string[] = ["payments", "fx", "schemas", "persons", "banks", "agents", "webhooks"];

/** What tokens of a client can allow. */
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
