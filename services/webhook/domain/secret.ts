import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The signing secret of a subscription as it is kept. */
export interface StoredSecret {
  /** The 44 characters, sealed. A rotation always gives a new text. */
  sealed: string;
  /** The 32 bytes of the Ed25519 private key, base64, sealed. */
  sealedSeed: string;
  /** Its public key, as Standard Webhooks writes it: `whpk_` and base64 of 32 bytes. */
  publicKey: string;
  fingerprint: string;
  rotatedAt: Date;
}

/** Scheme of the signatures. */
export const signatureVersion = "v1";

/** A secret as it is shown: base64 of 32 random bytes, 44 characters. */
export const makeSecret = (randomBytes: (count: number) => Buffer): string => randomBytes(32).toString("base64");

/** First 8 hex characters of the SHA-256 of the secret's characters. */
export const fingerprintOf = (secret: string): string =>
  createHash("sha256").update(secret, "utf8").digest("hex").slice(0, 8);

/** The place that a sealed secret is bound to. */
export const secretContext = (tenant: string, subscriptionId: string): string =>
  `${tenant}|subscriptions|${subscriptionId}|secret`;

/** The place that a sealed private key is bound to. */
export const seedContext = (tenant: string, subscriptionId: string): string =>
  `${tenant}|subscriptions|${subscriptionId}|seed`;

/** What comes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410 section 7). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** The private key whose 32 bytes are given in base64 (RFC 8032 section 5.1.5). */
export const signerOf = (seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Head, Buffer.from(seed, "base64")]), format: "der", type: "pkcs8" });

/** The public key of a private one, as receivers are shown it. */
export function publicKeyOf(signer: KeyObject): string {
  const { x = "" } = createPublicKey(signer).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}
