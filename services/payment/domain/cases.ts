import { derivedUuid } from "../../shared/kernel/ids";
import type { CaseKind, CaseNote, StatementDifference } from "./case-note";
import type { Evidence, Fact } from "./fact";
import { type Change, type Payment, update } from "./payment";

/** Opens the payment's case, or adds to the one that is open. */
export function openCase<P extends Payment>(
  change: Change<P>,
  kind: CaseKind,
  text: string,
  told?: {
    role: Fact["role"];
    evidence?: Evidence | undefined;
    key?: string;
    difference?: StatementDifference | undefined;
  },
): Change<P> {
  const { next, caseNotes } = change;
  const { openCase: open, caseCount, id } = next;
  const caseId = open?.id ?? derivedUuid("case", id, String(caseCount + 1));
  const kinds = open?.kinds.includes(kind) === true ? open.kinds : [...(open?.kinds ?? []), kind];
  const { evidence, role, key, difference } = told ?? {};
  const reported = key === undefined ? {} : { key, difference };
  const note = { caseId, kind, text, evidence, role, closes: false, ...reported };
  const fields = { openCase: { id: caseId, kinds }, caseCount: open === undefined ? caseCount + 1 : caseCount };
  return { ...update(change, fields), caseNotes: [...caseNotes, note] };
}

/** Ends a case that was open only because a provider was silent, once the provider has answered. */
export function endSilence<P extends Payment>(change: Change<P>): Change<P> {
  const { openCase: open } = change.next;
  if (open === undefined || open.kinds.some((kind) => kind !== "STEP_UNKNOWN")) return change;
  return closeCase(change, "the provider has said what became of the step");
}

/** Ends the payment's case, if one is open. */
export function closeCase<P extends Payment>(change: Change<P>, text: string): Change<P> {
  const { openCase: open } = change.next;
  if (open === undefined) return change;
  const note: CaseNote = { caseId: open.id, kind: undefined, text, evidence: undefined, role: undefined, closes: true };
  return { ...update(change, { openCase: undefined }), caseNotes: [...change.caseNotes, note] };
}
