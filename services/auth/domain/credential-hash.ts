import { createHmac, timingSafeEqual } from "node:crypto";

/** Keyed hashing of credentials: a stolen store tells nothing without the pepper. */
export interface CredentialHasher {
  hash(credential: string): string;
  /**
   * Compares in constant time. Without a stored hash it does the same work and answers false, so that time does not tell
   * whether an id exists.
   */
  matches(credential: string, storedHash: string | undefined): boolean;
}

/** HMAC-SHA256 under the pepper. A slow hash is not needed: credentials carry 256 random bits. */
export function makeCredentialHasher(pepper: Buffer): CredentialHasher {
  const digest = (credential: string): Buffer => createHmac("sha256", pepper).update(credential).digest();
  const decoy = digest("");
  return {
    hash: (credential) => digest(credential).toString("base64url"),
    matches(credential, storedHash) {
      const expected = storedHash === undefined ? decoy : Buffer.from(storedHash, "base64url");
      return timingSafeEqual(digest(credential), expected) && storedHash !== undefined;
    },
  };
}
