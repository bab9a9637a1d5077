import { createCipheriv, createDecipheriv, createHash, createSecretKey } from "node:crypto";
import type { Ids } from "../kernel/ids";

/**
 * Seals secrets that must be read back. A sealed text opens only under the key and the context that sealed it; the context
 * names the place (`tenant|collection|id|field`), so a text that is moved to another place does not open there.
 */
export interface Sealer {
  seal(plain: string | Buffer, context: string): string;
  /** Throws when the text was changed, sealed with another key, or sealed for another place. */
  open(sealed: string, context: string): Buffer;
  /** Seals it again under the newest key; undefined when it already is. Throws like `open`. */
  renew(sealed: string, context: string): string | undefined;
}

const nonceBytes = 12;
const tagBytes = 16;
const algorithm = "aes-256-gcm";

/** Identifies a key of a ring in sealed texts, reports and logs, without revealing the key. */
export const keyIdOf = (key: Buffer): string => createHash("sha256").update(key).digest("hex").slice(0, 8);

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. Form: `s1.<key id>.<base64url of nonce, text and tag>`. With
 * several keys the first seals and all open, so that keys can be replaced while the platform runs.
 */
export function makeSealer(keys: Buffer | readonly Buffer[], ids: Pick<Ids, "bytes">): Sealer {
  const ring = Buffer.isBuffer(keys) ? [keys] : keys;
  const [newest] = ring;
  if (newest === undefined || ring.some(({ length }) => length !== 32)) throw new Error("a sealing key has 32 bytes");
  const byId = new Map(ring.map((key) => [keyIdOf(key), createSecretKey(key)]));
  const newestId = keyIdOf(newest);
  const newestKey = createSecretKey(newest);
  const seal = (plain: string | Buffer, context: string): string => {
    const nonce = ids.bytes(nonceBytes);
    const cipher = createCipheriv(algorithm, newestKey, nonce).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return `s1.${newestId}.${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64url")}`;
  };
  const open = (sealed: string, context: string): Buffer => {
    const [form, sealedBy = "", packed = ""] = sealed.split(".");
    const key = byId.get(sealedBy);
    if (form !== "s1" || key === undefined) throw new Error("the text is sealed under another key");
    const bytes = Buffer.from(packed, "base64url");
    if (bytes.length < nonceBytes + tagBytes) throw new Error("the sealed text is truncated");
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  };
  return {
    seal,
    open,
    renew: (sealed, context) =>
      sealed.startsWith(`s1.${newestId}.`) ? undefined : seal(open(sealed, context), context),
  };
}
