import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** What is kept outside of the store of a sealed place in a chain: a store that was rolled back behind it is found out. */
export interface Anchor {
  /** Number of the place. */
  number: number;
  /** Its seal. */
  seal: string;
  /** Says that the anchor is ours. */
  signature: string;
}

/** A place outside of the store that keeps anchors. */
export interface Anchors {
  add(anchor: Anchor): Promise<void>;
  /** The newest anchors that are there, in any order; at least the last one. */
  latest(): Promise<readonly Anchor[]>;
}

const sign = (key: KeyObject, number: number, seal: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(["anchor", number, seal]))
    .digest("base64url");

export const anchorOf = (key: KeyObject, { number, seal }: { number: number; seal: string }): Anchor => ({
  number,
  seal,
  signature: sign(key, number, seal),
});

export function isSigned(key: KeyObject, { number, seal, signature }: Anchor): boolean {
  const [expected, given] = [Buffer.from(sign(key, number, seal)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The text of an anchor, one line. */
export const anchorText = (anchor: Anchor): string => JSON.stringify(anchor);

/** The anchor of a text; one that nobody can read counts as one with a signature that is not ours. */
export function parseAnchor(text: string): Anchor {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "number" in value && "seal" in value && "signature" in value) {
      const { number, seal, signature } = value;
      if (typeof number === "number" && typeof seal === "string" && typeof signature === "string") {
        return { number, seal, signature };
      }
    }
  } catch {
    // Told below.
  }
  return { number: 0, seal: "", signature: "" };
}
