import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { signatureVersion } from "./secret";

/** The two keys that one secret gives: ours is its 44 characters, that of Standard Webhooks its 32 bytes. */
export interface SigningKeys {
  own: KeyObject;
  standard: KeyObject;
}

export interface SignedContent {
  eventId: string;
  /** Seconds since 1970, the time of this attempt. */
  timestamp: number;
  body: Buffer;
}

export const signingKeysOf = (secret: string): SigningKeys => ({
  own: createSecretKey(secret, "utf8"),
  standard: createSecretKey(secret, "base64"),
});

/** The headers that prove origin and content of one attempt, in our scheme and in that of Standard Webhooks. */
export function signatureHeaders(
  { own, standard }: SigningKeys,
  { eventId, timestamp, body }: SignedContent,
): Record<string, string> {
  const ownMac = createHmac("sha256", own).update(`${timestamp}.`).update(body).digest("hex");
  const standardMac = createHmac("sha256", standard).update(`${eventId}.${timestamp}.`).update(body).digest("base64");
  return {
    "x-service-signature": `t=${timestamp},${signatureVersion}=${ownMac}`,
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${standardMac}`,
  };
}
