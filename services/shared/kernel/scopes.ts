/** All scopes of access tokens, in the order in which they are listed. */
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

/** All scopes of API keys and of agents' keys. */
export const keyScopes = ["payments", "fx", "schemas", "persons", "banks", "agents", "webhooks"] as const;

export type KeyScope = (typeof keyScopes)[number];
