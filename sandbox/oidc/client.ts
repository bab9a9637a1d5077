/** The platform as a client of the issuer; it authenticates by PKCE only. */
export const oidcClient = {
  clientId: "corridor-console",
  audience: "corridor",
  /** Redirect addresses of the command line and the console, at any port. */
  redirectUris: ["http://127.0.0.1/callback", "http://127.0.0.1/api/auth/callback"],
};
