import { createHmac, timingSafeEqual } from "node:crypto";
import { keyIdOf } from "../../shared/crypto/sealing";
import type { Keys } from "../../shared/kernel/keys";

/** Keyed hashing of credentials: a stolen store reveals nothing without the pepper. */
export interface CredentialHasher {
  /** Hashes under the newest pepper. */
  hash(credential: string): string;
  /**
   * Compares in constant time, under the pepper of the stored hash. Without a stored hash it does the same work and returns
   * false, so that timing does not reveal whether an id exists.
   */
  matches(credential: string, storedHash: string | undefined): boolean;
  /** The age of a stored hash's pepper. Rehashing under the newest pepper needs the credential itself. */
  ageOf(storedHash: string): "newest" | "older" | "unknown";
}

/**
 * HMAC-SHA256 under a pepper, in the form `<key id>.<base64url>`. Credentials carry 256 random bits, so a slow hash is not
 * needed. The first pepper hashes; all of them match.
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
