/** What an identity provider says of a person. */
export interface PersonClaims {
  /** Names the person at the provider, and the provider with it. */
  subject: string;
  /** Address that the provider has verified. */
  email: string | undefined;
  /** What its claim of roles holds. */
  groups: readonly string[];
  /** True when it says that there was a second factor, or none is asked for. */
  hasSecondFactor: boolean;
  /** When the person proved himself there last; undefined when it does not say. */
  provenAt: Date | undefined;
}

/** What ties an answer of the provider to the request that it is for. */
export interface LoginTies {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** An access token of the provider, as far as it is good. */
export interface ProviderToken extends PersonClaims {
  issuedAt: Date;
  expiresAt: Date;
}

/** Where people prove who they are (OpenID Connect). Every method throws UNAVAILABLE while it is away. */
export interface IdentityProvider {
  /** True for an address that the browser may be sent back to. */
  takesRedirect(uri: string): boolean;
  /** True unless the answer names another issuer (RFC 9207). */
  isIssuer(issuer: string | undefined): boolean;
  /** Where the browser goes. */
  authorizationUrl(ties: LoginTies): Promise<string>;
  /** Exchanges the code. Throws UNAUTHENTICATED when the provider refuses it or its answer does not fit. */
  redeem(code: string, ties: LoginTies): Promise<PersonClaims>;
  /** Reads an access token that it gave to one of the configured clients. Throws UNAUTHENTICATED. */
  readToken(token: string): Promise<ProviderToken>;
}

/** The providers by whose people they are of; undefined where people do not log in. */
export interface IdentityProviders {
  operators: IdentityProvider | undefined;
  tenants: IdentityProvider | undefined;
}
