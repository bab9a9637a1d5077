/** What the platform is to the issuer; it proves itself by PKCE alone. */
export const oidcClient = {
  clientId: "corridor-console",
  audience: "corridor",
  /** Where a command line and the console are come back to, at any port. */
  redirectUris: ["http://127.0.0.1/callback", "http://127.0.0.1/api/auth/callback"],
};
