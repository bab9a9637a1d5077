import { createHmac, createSecretKey, type KeyObject, sign } from "node:crypto";
import { signatureVersion, signerOf } from "./secret";

/**
 * The two keys from one secret (its 44 characters for our scheme, its 32 bytes for Standard Webhooks), and the private key
 * for receivers that keep no secret.
 */
export interface SigningKeys {
  own: KeyObject;
  standard: KeyObject;
  signer: KeyObject;
}

export interface SignedContent {
  eventId: string;
  /** Time of this attempt, seconds since 1970. */
  timestamp: number;
  body: Buffer;
}

export const signingKeysOf = (secret: string, seed: string): SigningKeys => ({
  own: createSecretKey(secret, "utf8"),
  standard: createSecretKey(secret, "base64"),
  signer: signerOf(seed),
});

/** The headers that prove origin and content of one attempt, in our scheme and in that of Standard Webhooks. */
export function signatureHeaders(
  { own, standard, signer }: SigningKeys,
  { eventId, timestamp, body }: SignedContent,
): Record<string, string> {
  const ownMac = createHmac("sha256", own).update(`${timestamp}.`).update(body).digest("hex");
  const content = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body]);
  const standardMac = createHmac("sha256", standard).update(content).digest("base64");
  const signature = sign(null, content, signer).toString("base64");
  return {
    "x-service-signature": `t=${timestamp},${signatureVersion}=${ownMac}`,
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${standardMac} v1a,${signature}`,
  };
}
