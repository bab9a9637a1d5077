import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The signing secret of a subscription as it is stored. */
export interface StoredSecret {
  /** The 44 characters, sealed. A rotation always gives a new text. */
  sealed: string;
  /** The 32 bytes of the Ed25519 private key, base64, sealed. */
  sealedSeed: string;
  /** Its public key in the form of Standard Webhooks: `whpk_` and base64 of 32 bytes. */
  publicKey: string;
  fingerprint: string;
  rotatedAt: Date;
}

/** Scheme of the signatures. */
export const signatureVersion = "v1";

/** Makes a secret: base64 of 32 random bytes, 44 characters. */
export const makeSecret = (randomBytes: (count: number) => Buffer): string => randomBytes(32).toString("base64");

/** First 8 hex characters of the SHA-256 of the secret's characters. */
export const fingerprintOf = (secret: string): string =>
  createHash("sha256").update(secret, "utf8").digest("hex").slice(0, 8);

/** The sealing context of a secret. */
export const secretContext = (tenant: string, subscriptionId: string): string =>
  `${tenant}|subscriptions|${subscriptionId}|secret`;

/** The sealing context of a private key. */
export const seedContext = (tenant: string, subscriptionId: string): string =>
  `${tenant}|subscriptions|${subscriptionId}|seed`;

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410 section 7). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** The private key whose 32 bytes are given in base64 (RFC 8032 section 5.1.5). */
export const signerOf = (seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Head, Buffer.from(seed, "base64")]), format: "der", type: "pkcs8" });

/** The public key of a private one, in the form that receivers see. */
export function publicKeyOf(signer: KeyObject): string {
  const { x = "" } = createPublicKey(signer).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}
