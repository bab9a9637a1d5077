import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** A copy, outside of the store, of a sealed place in a chain. It reveals a store that was rolled back to before it. */
export interface Anchor {
  /** Number of the place. */
  number: number;
  /** Its seal. */
  seal: string;
  /** Proves that the anchor is ours. */
  signature: string;
  /** The store was restored to this place on purpose: earlier anchors beyond it no longer count. */
  isRestored?: true;
}

/** A place outside of the store that keeps anchors. */
export interface Anchors {
  add(anchor: Anchor): Promise<void>;
  /** Returns the newest anchors, oldest first; at least the last one. */
  latest(): Promise<readonly Anchor[]>;
}

const sign = (key: KeyObject, { number, seal, isRestored }: Omit<Anchor, "signature">): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([isRestored === true ? "restored" : "anchor", number, seal]))
    .digest("base64url");

export const anchorOf = (key: KeyObject, { number, seal }: { number: number; seal: string }): Anchor => ({
  number,
  seal,
  signature: sign(key, { number, seal }),
});

/** Makes the anchor of a deliberate restore to a place, or to before the first one (0 without a seal). */
export function restoredAnchor(key: KeyObject, { number, seal }: { number: number; seal: string }): Anchor {
  const facts = { number, seal, isRestored: true } as const;
  return { ...facts, signature: sign(key, facts) };
}

/** Returns the anchors that still count: those beyond a later restore's place no longer do. */
export function standingAnchors(anchors: readonly Anchor[], isOurs: (anchor: Anchor) => boolean): Anchor[] {
  const at = anchors.findLastIndex((anchor) => anchor.isRestored === true && isOurs(anchor));
  const restored = anchors[at];
  if (restored === undefined) return [...anchors];
  const before = anchors.slice(0, at).filter(({ number, isRestored }) => number <= restored.number && !isRestored);
  const place = restored.number === 0 ? [] : [restored];
  return [...before, ...place, ...anchors.slice(at + 1)];
}

export function isSigned(key: KeyObject, anchor: Anchor): boolean {
  const [expected, given] = [Buffer.from(sign(key, anchor)), Buffer.from(anchor.signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The text of an anchor, one line. */
export const anchorText = (anchor: Anchor): string => JSON.stringify(anchor);

/** Parses an anchor. An unreadable text counts as an anchor with an invalid signature. */
export function parseAnchor(text: string): Anchor {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "number" in value && "seal" in value && "signature" in value) {
      const { number, seal, signature } = value;
      const restored = "isRestored" in value && value.isRestored === true ? { isRestored: true as const } : {};
      if (typeof number === "number" && typeof seal === "string" && typeof signature === "string") {
        return { number, seal, signature, ...restored };
      }
    }
  } catch {
    // Handled below.
  }
  return { number: 0, seal: "", signature: "" };
}
