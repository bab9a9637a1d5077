import { createHash } from "node:crypto";

/** Strong entity tag (RFC 9110 section 8.8.3): equal exactly for equal bytes. */
export const strongEtag = (bytes: Uint8Array): string => `"${createHash("sha256").update(bytes).digest("base64url")}"`;
