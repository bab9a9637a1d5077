import { importPKCS8, SignJWT } from "jose";
import type { AccessTokenClaims } from "../../domain/access-token";
import type { SigningKey } from "../../domain/signing-key";

/** Signs claims as a JWT. */
export type SignToken = (claims: AccessTokenClaims) => Promise<string>;

/** Signs with RS256 under one key; the header is that of an access token (RFC 9068 section 2.1). */
export async function makeTokenSigner({ kid, privatePem }: SigningKey): Promise<SignToken> {
  const key = await importPKCS8(privatePem, "RS256");
  return (claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid }).sign(key);
}
