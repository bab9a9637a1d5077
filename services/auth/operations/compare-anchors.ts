import { type Anchor, type Anchors, isSigned, standingAnchors } from "../../shared/crypto/anchor";
import { type AuditKeys, isBeginSealed } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface CompareAnchorsDeps {
  audit: Pick<AuditStore, "begin" | "hashesOf">;
  keys: AuditKeys;
  /** Where the chain is anchored outside of the store. */
  anchors: readonly Anchors[];
}

/** What is wrong with an anchor, or with the chain by it. */
export interface AnchorFault {
  /** Sequence of the record that is anchored; 0 for an anchor that is none of ours. */
  sequence: number;
  detail: string;
}

export interface AnchorReport {
  /** How many anchors could be read. */
  count: number;
  faults: readonly AnchorFault[];
}

/** Compares the chain with what is kept of it outside of the store. A place that does not answer is left out. */
export type CompareAnchors = (places?: readonly Anchors[]) => Promise<AnchorReport>;

/** A record that is anchored was cut off with all behind it when it is missing, and written anew when it is another. */
export const makeCompareAnchors =
  ({ audit, keys, anchors }: CompareAnchorsDeps): CompareAnchors =>
  async (places = anchors) => {
    const read = await Promise.allSettled(places.map((place) => place.latest()));
    const isOurs = (anchor: Anchor): boolean => [...keys.all.values()].some((key) => isSigned(key, anchor));
    const found = read.flatMap((result) =>
      result.status === "fulfilled" ? standingAnchors(result.value, isOurs) : [],
    );
    const hashes = await audit.hashesOf(found.map(({ number }) => number));
    // Read last: what is forgotten meanwhile lies before it.
    const sealed = await audit.begin();
    const begin = sealed !== undefined && isBeginSealed(keys, sealed) ? sealed : undefined;
    if (begin !== undefined) hashes.set(begin.sequence, begin.hash);
    const faults = found.flatMap((anchor): AnchorFault[] => {
      const { number: sequence, seal } = anchor;
      if (!isOurs(anchor)) {
        return [{ sequence: 0, detail: `an anchor of record ${sequence} is not signed by us` }];
      }
      // What is older than the begin was forgotten when its time was over.
      if (sequence < (begin?.sequence ?? 0) || hashes.get(sequence) === seal) return [];
      const what = hashes.has(sequence) ? "is another" : "is missing";
      return [{ sequence, detail: `record ${sequence} was anchored outside of the store, and ${what}` }];
    });
    return { count: found.length, faults };
  };
