import { createHash } from "node:crypto";

/** The signing secret of a subscription as it is kept. */
export interface StoredSecret {
  /** The 44 characters, sealed. A rotation always gives a new text. */
  sealed: string;
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
