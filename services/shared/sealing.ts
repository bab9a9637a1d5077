import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Ids } from "./ids";

/**
 * Keeps secrets that must be read back. A sealed text opens only under the key and the context that sealed it; the context
 * names the place (`tenant|collection|id|field`), so that a text moved to another place does not open there.
 */
export interface Sealer {
  seal(plain: string | Buffer, context: string): string;
  /** Throws when the text was changed, sealed with another key, or sealed for another place. */
  open(sealed: string, context: string): Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = "aes-256-gcm";

/** AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. Form: `s1.<key id>.<base64url of nonce, text and tag>`. */
export function makeSealer(key: Buffer, ids: Pick<Ids, "bytes">): Sealer {
  if (key.length !== 32) throw new Error("a sealing key has 32 bytes");
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return {
    seal(plain, context) {
      const nonce = ids.bytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return `s1.${keyId}.${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [form, sealedBy, packed = ""] = sealed.split(".");
      if (form !== "s1" || sealedBy !== keyId) throw new Error("sealed text is of another key");
      const bytes = Buffer.from(packed, "base64url");
      if (bytes.length < nonceBytes + tagBytes) throw new Error("sealed text is cut off");
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    },
  };
}
