/** A key pair that signs access tokens. */
export interface SigningKey {
  /** 1 for the first key of an installation; the highest one signs, all of them verify. */
  number: number;
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  publicJwk: Readonly<Record<string, string>>;
  /** PKCS #8, PEM. */
  privatePem: string;
}
