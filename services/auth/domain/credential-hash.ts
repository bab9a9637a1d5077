import { createHmac, timingSafeEqual } from "node:crypto";
import { keyIdOf } from "../../shared/crypto/sealing";
import type { Keys } from "../../shared/kernel/keys";

/** Keyed hashing of credentials: a stolen store tells nothing without the pepper. */
export interface CredentialHasher {
  /** The hash under the newest pepper. */
  hash(credential: string): string;
  /**
   * Compares in constant time, under the pepper of the stored hash. Without a stored hash it does the same work and answers
   * false, so that time does not tell whether an id exists.
   */
  matches(credential: string, storedHash: string | undefined): boolean;
  /** Where a stored hash stands. Only who knows the credential can make it anew under the newest pepper. */
  ageOf(storedHash: string): "newest" | "older" | "unknown";
}

/**
 * HMAC-SHA256 under a pepper, in the form `<key id>.<base64url>`. A slow hash is not needed: credentials carry 256 random bits. The
 * first pepper hashes, and what any of them has hashed is matched.
 */
export function makeCredentialHasher(peppers: Keys): CredentialHasher {
  const byId = new Map(peppers.map((pepper) => [keyIdOf(pepper), pepper]));
  const [newest] = peppers;
  const newestId = keyIdOf(newest);
  const digest = (pepper: Buffer, text: string): Buffer => createHmac("sha256", pepper).update(text).digest();
  const decoy = digest(newest, "");
  return {
    hash: (credential) => `${newestId}.${digest(newest, credential).toString("base64url")}`,
    matches(credential, storedHash = "") {
      const [id = "", text = ""] = storedHash.split(".");
      const pepper = byId.get(id);
      const stored = Buffer.from(text, "base64url");
      const isHash = pepper !== undefined && stored.length === decoy.length;
      return timingSafeEqual(digest(pepper ?? newest, credential), isHash ? stored : decoy) && isHash;
    },
    ageOf(storedHash) {
      const [id = ""] = storedHash.split(".");
      if (id === newestId) return "newest";
      return byId.has(id) ? "older" : "unknown";
    },
  };
}
