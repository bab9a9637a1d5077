/** An identity provider's statements about a person. */
export interface PersonClaims {
  /** Identifies the provider and the person at it. */
  subject: string;
  /** Address that the provider has verified. */
  email: string | undefined;
  /** Content of its claim of roles. */
  groups: readonly string[];
  /** True when it reports a second factor, or none is required. */
  hasSecondFactor: boolean;
  /** Time of the person's last authentication there; undefined when it does not say. */
  provenAt: Date | undefined;
}

/** Values that tie an answer of the provider to its request. */
export interface LoginTies {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** The content of a valid access token of the provider. */
export interface ProviderToken extends PersonClaims {
  issuedAt: Date;
  expiresAt: Date;
}

/** A device grant (RFC 8628) that the provider has begun. */
export interface DeviceGrant {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string | undefined;
  livesSeconds: number;
  /** Least time between two questions. */
  intervalSeconds: number;
}

/** The provider's answer about a device grant; `REFUSED` when it takes the code no more. */
export type DeviceAnswer =
  | { state: "PENDING" | "SLOW_DOWN" | "DENIED" | "EXPIRED" | "REFUSED" }
  | { state: "DONE"; idToken: string };

/** Authenticates people (OpenID Connect). Every method throws UNAVAILABLE while it is away. */
export interface IdentityProvider {
  /** True for an address that the browser may be redirected to. */
  takesRedirect(uri: string): boolean;
  /** True unless the answer names another issuer (RFC 9207). */
  isIssuer(issuer: string | undefined): boolean;
  /** Returns the address to send the browser to. */
  authorizationUrl(ties: LoginTies): Promise<string>;
  /** Exchanges the code. Throws UNAUTHENTICATED when the provider refuses it or its answer does not match. */
  redeem(code: string, ties: LoginTies): Promise<PersonClaims>;
  /** Begins a device grant. Throws RECORD_NOT_FOUND when the provider offers this client none. */
  beginDevice(): Promise<DeviceGrant>;
  /** Asks how far a device grant is. */
  askDevice(deviceCode: string): Promise<DeviceAnswer>;
  /** Reads the identity token of a device grant. Throws UNAUTHENTICATED. */
  readDeviceIdentity(idToken: string): Promise<PersonClaims>;
  /** Reads an access token that it issued to one of the configured clients. Throws UNAUTHENTICATED. */
  readToken(token: string): Promise<ProviderToken>;
}

/** The providers by group of people: operators and people of tenants; undefined for a group that does not log in. */
export interface IdentityProviders {
  operators: IdentityProvider | undefined;
  tenants: IdentityProvider | undefined;
}
