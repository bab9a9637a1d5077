/** Everything that an access token can allow, in the order in which scopes are listed. */
export const scopes = [
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

export type Scope = (typeof scopes)[number];

/** Everything that an API key or the key of an agent can allow. */
export const keyScopes = ["payments", "fx", "schemas", "persons", "banks", "agents", "webhooks"] as const;

export type KeyScope = (typeof keyScopes)[number];
