import { type DocumentStatus, documentReportStatuses } from "../../../services/identity/domain/document";
import { cellsOf, readTransitions } from "../transition-table";

/**
 * What a document can meet: its reader says nothing yet (`wait`) or repeats itself (`late`), a report of the reader, an
 * operator's decision, another number of the same document.
 */
export const documentInputs = ["wait", ...documentReportStatuses, "late", "accept", "refuse", "replace"] as const;
export type DocumentInput = (typeof documentInputs)[number];

/** `-` leaves the status and notifies nobody; `(X)` comes to X without a notification; `!` is refused. By hand from the specification. */
export const readGraph = readTransitions(`
              wait     READING  IN_REVIEW  VERIFIED  REJECTED  ERRORED  late  accept    refuse    replace
  RECEIVED    PENDING  PENDING  PENDING    VERIFIED  REJECTED  ERRORED  -     VERIFIED  REJECTED  SUPERSEDED
  PENDING     -        -        -          VERIFIED  REJECTED  ERRORED  -     VERIFIED  REJECTED  SUPERSEDED
  VERIFIED    -        -        -          -         REJECTED  -        -     -         REJECTED  -
  REJECTED    -        -        -          VERIFIED  -         -        -     VERIFIED  -         -
  SUPERSEDED  -        -        -          -         -         -        -     !         !         -
  ERRORED     -        -        -          -         -         -        -     !         !         -
`);

/** Where document reading is switched off: only people move a document, and tenants are notified of the upload alone. */
export const unreadGraph = readTransitions(`
              wait     READING  IN_REVIEW  VERIFIED  REJECTED  ERRORED  late  accept      refuse      replace
  RECEIVED    PENDING  -        -          -         -         -        -     (VERIFIED)  (REJECTED)  (SUPERSEDED)
  PENDING     -        -        -          -         -         -        -     (VERIFIED)  (REJECTED)  (SUPERSEDED)
  VERIFIED    -        -        -          -         -         -        -     -           (REJECTED)  -
  REJECTED    -        -        -          -         -         -        -     (VERIFIED)  -           -
  SUPERSEDED  -        -        -          -         -         -        -     !           !           -
`);

/** Only a reader comes to ERRORED. */
export const unreadStatuses: readonly DocumentStatus[] = ["RECEIVED", "PENDING", "VERIFIED", "REJECTED", "SUPERSEDED"];

export const documentCells = [true, false].flatMap((isRead) =>
  cellsOf(isRead ? readGraph : unreadGraph).map(([status, input, outcome]) => ({
    isRead,
    status: status as DocumentStatus,
    input: input as DocumentInput,
    outcome,
  })),
);

/** Status and events after an outcome. */
export function meant(status: string, outcome: string): { status: string; told: string[] } {
  if (outcome === "-" || outcome === "!") return { status, told: [] };
  const silent = /^\((\w+)\)$/.exec(outcome)?.[1];
  return silent === undefined ? { status: outcome, told: [outcome] } : { status: silent, told: [] };
}
