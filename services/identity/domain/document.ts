import { plusMs } from "../../shared/kernel/clock";
import { DomainError, type FieldViolation, invalid } from "../../shared/kernel/errors";
import { addDocumentEvent, type DocumentEvent, timeOf } from "./document-event";
import type { ParticipantKind } from "./participant";

/** RECEIVED means that document reading has not been asked yet; callers see it as PENDING. */
export const documentStatuses = ["RECEIVED", "PENDING", "VERIFIED", "REJECTED", "SUPERSEDED", "ERRORED"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** Every move that a document can make. */
const documentMoves: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  RECEIVED: ["PENDING", "VERIFIED", "REJECTED", "SUPERSEDED", "ERRORED"],
  PENDING: ["VERIFIED", "REJECTED", "SUPERSEDED", "ERRORED"],
  VERIFIED: ["REJECTED"],
  REJECTED: ["VERIFIED"],
  SUPERSEDED: [],
  ERRORED: [],
};

export interface DocumentDecision {
  status: "VERIFIED" | "REJECTED";
  reasonCode?: string;
  decidedAt: Date;
  /** The operator that decided; absent when document reading did. */
  author?: string;
}

/** Facts about a file's content; stored sealed. */
export interface DocumentFacts {
  mediaType: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
  /** Number of the document, if it was given. */
  number?: string;
  /** Note of the operator who decided. */
  note?: string;
}

/** A file of a participant, and the decision about it. */
export interface Document {
  /** Id of the upload. */
  id: string;
  tenant: string;
  kind: ParticipantKind;
  /** The participant that it belongs to. */
  entityId: string;
  documentType: string;
  /** Id under which its bytes are stored. */
  fileId: string;
  /** Its facts, readable only with the participant's key. */
  sealed: string;
  /**
   * True: document reading decides, and tenants are notified of its decision. False: a person decides, and tenants are notified of the
   * upload only.
   */
  isRead: boolean;
  status: DocumentStatus;
  /** Number of the last report of document reading that was applied; 0 before the first. */
  revision: number;
  decision: DocumentDecision | undefined;
  events: readonly DocumentEvent[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Time at which document reading is asked next; undefined when no more answers are expected. */
  dueAt: Date | undefined;
}

type Given = Pick<
  Document,
  "id" | "tenant" | "kind" | "entityId" | "documentType" | "fileId" | "sealed" | "isRead" | "createdAt"
>;

/** A document that was just uploaded. */
export const received = (given: Given): Document => ({
  ...given,
  status: "RECEIVED",
  revision: 0,
  decision: undefined,
  events: [],
  version: 1,
  updatedAt: given.createdAt,
  dueAt: undefined,
});

/** Largest file, bytes. */
export const maxDocumentBytes = 10 * 1024 * 1024;

const longestNote = 1_000;

export const documentMediaTypes: readonly string[] = ["image/jpeg", "image/png", "application/pdf"];

const documentTypes = [
  "PASSPORT",
  "DRIVERS_LICENSE",
  "NATIONAL_ID",
  "RESIDENCE_PERMIT",
  "SSN",
  "TAX_ID",
  "PROOF_OF_ADDRESS",
  "PROOF_OF_FUNDS",
  "COMPANY_REGISTRATION",
] as const;

/** Returns the canonical spelling of a kind of document: in capitals, and with the plural that older callers leave out. */
export function canonicalDocumentType(given: string): string {
  const type = given.toUpperCase().replaceAll("-", "_");
  return type === "DRIVER_LICENSE" ? "DRIVERS_LICENSE" : type;
}

/** Throws INVALID_ARGUMENT for a kind of document that is not accepted. */
export function parseDocumentType(given: string): string {
  const type = canonicalDocumentType(given);
  if (documentTypes.some((known) => known === type)) return type;
  throw invalid([{ field: "documentType", message: `must be one of ${documentTypes.join(", ")}` }]);
}

/** Throws INVALID_ARGUMENT for a number that no document can have. */
export function parseDocumentNumber(given: string | undefined): string | undefined {
  if (given === undefined || /^(?=.*[\p{L}\p{N}])[^\p{Cc}]{1,64}$/u.test(given)) return given;
  const violation: FieldViolation = { field: "documentNumber", message: "must be text of 1 to 64 characters" };
  throw invalid([violation]);
}

/** Throws INVALID_ARGUMENT for a note that is empty or too long. */
export function requireNote(note: string): void {
  if (note.trim() !== "" && note.length <= longestNote) return;
  throw invalid([{ field: "note", message: `must be text of 1 to ${longestNote} characters` }]);
}

export const isUndecided = ({ status }: Pick<Document, "status">): boolean =>
  status === "RECEIVED" || status === "PENDING";

/** The status as callers see it. */
export const shownStatus = ({ status }: Pick<Document, "status">): Exclude<DocumentStatus, "RECEIVED"> =>
  status === "RECEIVED" ? "PENDING" : status;

/** True when the document has reached a final status, so that the same file may be uploaded again. */
export const isClosed = ({ status }: Pick<Document, "status">): boolean => documentMoves[status].length === 0;

/** Returns the document in another status, with its event if there is one; the unchanged document if there is no such move. */
function moved(document: Document, status: Exclude<DocumentStatus, "RECEIVED">, at: Date, now: Date): Document {
  if (!documentMoves[document.status].includes(status)) return document;
  const isTold = document.isRead || status === "PENDING";
  const events = isTold ? addDocumentEvent(document.events, status, at) : document.events;
  const next = { ...document, status, events, updatedAt: now };
  return isUndecided(next) ? next : { ...next, dueAt: undefined };
}

/** States of a document in document reading. */
export const documentReportStatuses = ["READING", "IN_REVIEW", "VERIFIED", "REJECTED", "ERRORED"] as const;

/** A report of document reading about a file. Later reports have greater revisions. */
export interface DocumentReport {
  documentId: string;
  status: (typeof documentReportStatuses)[number];
  revision: number;
  reasonCode: string | undefined;
  occurredAt: Date;
}

/**
 * Applies a report of document reading. A report that is not newer than the last one, comes too late, or comes after a person has decided,
 * changes nothing.
 */
export function reported(document: Document, report: DocumentReport, now: Date): Document {
  const isOver = isClosed(document) || document.decision?.author !== undefined;
  if (!document.isRead || isOver || report.revision <= document.revision) return document;
  const at = timeOf(report, document.createdAt, now);
  const heard = { ...document, revision: report.revision, updatedAt: now };
  const { status, reasonCode } = report;
  if (status === "READING" || status === "IN_REVIEW") return waiting(heard, now);
  const next = moved(heard, status, at, now);
  if (status === "ERRORED" || next === heard) return next;
  return { ...next, decision: { status, decidedAt: at, ...(reasonCode !== undefined && { reasonCode }) } };
}

/** Returns the document while an answer is awaited: tenants are notified of it at the first call. */
export const waiting = (document: Document, now: Date): Document => moved(document, "PENDING", now, now);

/** An operator's decision about a document. */
export interface OperatorDecision {
  accept: boolean;
  /** Name of the operator. */
  author: string;
}

/**
 * Applies a person's decision; a decision can be changed later. Repeating the same one changes nothing. Throws RECORD_CONFLICT for a
 * document that can no longer be decided.
 */
export function decided(document: Document, { accept, author }: OperatorDecision, now: Date): Document {
  const status = accept ? "VERIFIED" : "REJECTED";
  if (isClosed(document)) throw new DomainError("RECORD_CONFLICT", `the document is ${document.status}`);
  if (document.status === status && document.decision?.author !== undefined) return document;
  const next = moved(document, status, now, now);
  return { ...next, decision: { status, decidedAt: now, author }, dueAt: undefined, updatedAt: now };
}

/** How long document reading is polled; after that a person must decide. */
const readingMs = 24 * 60 * 60_000;
const firstAskMs = 2_000;
const longestAskMs = 15 * 60_000;

/** Returns when document reading is asked next, ever more rarely; undefined when no answer is awaited. */
export function nextAsk(document: Document, now: Date): Date | undefined {
  const ageMs = now.getTime() - document.createdAt.getTime();
  if (!document.isRead || !isUndecided(document) || ageMs >= readingMs) return undefined;
  return plusMs(now, Math.min(Math.max(ageMs, firstAskMs), longestAskMs));
}

/** Ends an undecided document in favour of a newer declaration of it. */
export const superseded = (document: Document, now: Date): Document => moved(document, "SUPERSEDED", now, now);
