import { type Anchor, type Anchors, isSigned, standingAnchors } from "../../shared/crypto/anchor";
import { type AuditKeys, isBeginSealed } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface CompareAnchorsDeps {
  audit: Pick<AuditStore, "begin" | "hashesOf">;
  keys: AuditKeys;
  /** The places outside the store that keep anchors of the chain. */
  anchors: readonly Anchors[];
}

/** A fault of an anchor, or of the chain against an anchor. */
export interface AnchorFault {
  /** Sequence of the anchored record; 0 for an anchor that this service did not sign. */
  sequence: number;
  detail: string;
}

export interface AnchorReport {
  /** How many anchors were readable. */
  count: number;
  faults: readonly AnchorFault[];
}

/** Compares the chain with its anchors outside the store. Skips a place that does not answer. */
export type CompareAnchors = (places?: readonly Anchors[]) => Promise<AnchorReport>;

/** If an anchored record is missing, the chain was cut off there; if it differs, the chain was rewritten. */
export const makeCompareAnchors =
  ({ audit, keys, anchors }: CompareAnchorsDeps): CompareAnchors =>
  async (places = anchors) => {
    const read = await Promise.allSettled(places.map((place) => place.latest()));
    const isOurs = (anchor: Anchor): boolean => [...keys.all.values()].some((key) => isSigned(key, anchor));
    const found = read.flatMap((result) =>
      result.status === "fulfilled" ? standingAnchors(result.value, isOurs) : [],
    );
    const hashes = await audit.hashesOf(found.map(({ number }) => number));
    // Read last: records removed meanwhile lie before it.
    const sealed = await audit.begin();
    const begin = sealed !== undefined && isBeginSealed(keys, sealed) ? sealed : undefined;
    if (begin !== undefined) hashes.set(begin.sequence, begin.hash);
    const faults = found.flatMap((anchor): AnchorFault[] => {
      const { number: sequence, seal } = anchor;
      if (!isOurs(anchor)) {
        return [{ sequence: 0, detail: `an anchor of record ${sequence} is not signed by this service` }];
      }
      // Records before the begin were removed when their retention ended.
      if (sequence < (begin?.sequence ?? 0) || hashes.get(sequence) === seal) return [];
      const what = hashes.has(sequence) ? "is another" : "is missing";
      return [{ sequence, detail: `record ${sequence} was anchored outside the store, and ${what}` }];
    });
    return { count: found.length, faults };
  };
