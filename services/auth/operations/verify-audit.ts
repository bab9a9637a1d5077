import { DomainError } from "../../shared/kernel/errors";
import { type AuditKeys, emptyChain, isBeginSealed, walkChain } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";
import type { AnchorReport, CompareAnchors } from "./compare-anchors";

export interface VerifyAuditDeps {
  audit: Pick<AuditStore, "begin" | "head" | "page">;
  keys: AuditKeys;
  compareAnchors: CompareAnchors;
}

/** A record kept elsewhere, which shows whether the end of the chain was cut off. */
export interface KeptRecord {
  sequence: number;
  hash: string;
}

export interface AuditVerdict {
  /** Number of records ever written, as far as the chain is whole. */
  count: number;
  head: string;
  brokenAt: number | undefined;
  /** The anchors outside the store, and those that do not match. */
  anchors: AnchorReport;
}

/** Reads the whole chain and names the first place that differs from what was written. */
export type VerifyAudit = (kept: KeptRecord | undefined) => Promise<AuditVerdict>;

const pageSize = 500;

export const makeVerifyAudit =
  ({ audit, keys, compareAnchors }: VerifyAuditDeps): VerifyAudit =>
  async (kept) => {
    const anchors = await compareAnchors();
    // Read first: records appended meanwhile come after it.
    const head = await audit.head();
    const sealed = await audit.begin();
    const begin = sealed ?? emptyChain;
    // A forged begin hides the records before it.
    const isBeginGood = sealed === undefined || isBeginSealed(keys, sealed);
    if (!isBeginGood) return { count: 0, head: "", brokenAt: 1, anchors };
    if (kept !== undefined && kept.sequence < begin.sequence) {
      throw new DomainError("RECORD_NOT_FOUND", "the record is older than the oldest record kept");
    }
    const walk = walkChain(keys, begin);
    let keptIsGood = kept === undefined || (kept.sequence === begin.sequence && kept.hash === begin.hash);
    let after = begin.sequence;
    while (after < head.sequence && walk.brokenAt() === undefined) {
      const page = await audit.page(after, Math.min(pageSize, head.sequence - after));
      for (const record of page) {
        walk.step(record);
        if (record.sequence === kept?.sequence) keptIsGood = record.hash === kept.hash;
      }
      after += page.length;
      if (page.length === 0) break;
    }
    const reached = walk.head();
    const cutAt = reached.sequence < head.sequence || reached.hash !== head.hash ? reached.sequence + 1 : undefined;
    const keptAt = keptIsGood ? undefined : Math.min(kept?.sequence ?? 0, reached.sequence + 1);
    const places = anchors.faults.flatMap(({ sequence }) =>
      sequence === 0 ? [] : Math.min(sequence, reached.sequence + 1),
    );
    const anchoredAt = places.length === 0 ? undefined : Math.min(...places);
    const brokenAt = walk.brokenAt() ?? cutAt ?? keptAt ?? anchoredAt;
    return { count: reached.sequence, head: reached.hash, brokenAt, anchors };
  };
