/** What the platform is to the issuer; it proves itself by PKCE alone. */
export const oidcClient = {
  clientId: "corridor-console",
  audience: "corridor",
  redirectUri: "http://127.0.0.1/callback",
};
