import { plusMs } from "../../shared/kernel/clock";
import { addDocumentEvent, type DocumentEvent, timeOf } from "./document-event";

/** CAPTURING means that the person has not shown a document yet; callers see it as PENDING. */
export const sessionStatuses = [
  "CAPTURING",
  "PENDING",
  "VERIFIED",
  "REJECTED",
  "SUPERSEDED",
  "FAILED",
  "ERRORED",
  "EXPIRED",
] as const;
export type SessionStatus = (typeof sessionStatuses)[number];
/** A status that callers see. */
export type ShownStatus = Exclude<SessionStatus, "CAPTURING">;

/** Every move that a session can make. */
const sessionMoves: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  CAPTURING: ["PENDING", "VERIFIED", "REJECTED", "SUPERSEDED", "FAILED", "ERRORED", "EXPIRED"],
  PENDING: ["VERIFIED", "REJECTED", "SUPERSEDED", "ERRORED"],
  VERIFIED: ["REJECTED"],
  REJECTED: ["VERIFIED"],
  SUPERSEDED: [],
  FAILED: [],
  ERRORED: [],
  EXPIRED: [],
};

export interface SessionDecision {
  status: "VERIFIED" | "REJECTED";
  reasonCode: string | undefined;
  decidedAt: Date;
}

/** A notification about a session: one status that it has reached. */
export type SessionEvent = DocumentEvent;

/** What the caller of a session gave, and the page that the vendor made for it. */
export interface SessionFacts {
  userRef: string;
  type?: string;
  documentTypes: readonly string[];
  countryCode?: string;
  redirectUrl?: string;
  /** The caller's own JSON object, as text. */
  metadata?: string;
  url: string;
}

export interface Session {
  id: string;
  tenant: string;
  facts: SessionFacts;
  /** The document that the session is about. */
  documentType: string;
  /** The participant that the document belongs to. */
  entityId: string;
  /** The participant under the name that the caller gave. */
  personId: string | undefined;
  /** Identifies the document without revealing it: of the undecided sessions with the same claim only the newest continues. */
  claim: string;
  status: SessionStatus;
  /** Captures that the vendor could not use, or that led to a decision. */
  attempts: number;
  /** Number of the last report of the vendor that was applied; 0 before the first. */
  revision: number;
  decision: SessionDecision | undefined;
  events: readonly SessionEvent[];
  version: number;
  createdAt: Date;
  expiresAt: Date;
  updatedAt: Date;
  /** Time at which the vendor is asked next; undefined when no more answers are expected. */
  dueAt: Date | undefined;
}

/** States of a session at the vendor. */
export const sessionReportStatuses = [
  "OPEN",
  "IN_REVIEW",
  "VERIFIED",
  "REJECTED",
  "FAILED",
  "ERRORED",
  "EXPIRED",
] as const;

/** A report of the vendor about a session. Later reports have greater revisions. */
export interface SessionReport {
  sessionId: string;
  status: (typeof sessionReportStatuses)[number];
  attempts: number;
  revision: number;
  reasonCode: string | undefined;
  occurredAt: Date;
}

/** How long the page of a session is open. */
export const linkLifeMs = 24 * 60 * 60 * 1_000;
/** Most attempts of a person. */
export const maxAttempts = 3;

const firstAskMs = 2_000;
const longestAskMs = 15 * 60_000;
const longestReaskMs = 24 * 60 * 60_000;

/** The status as callers see it: it does not distinguish an open page from a vendor that decides. */
export const shownStatus = ({ status }: Pick<Session, "status">): ShownStatus =>
  status === "CAPTURING" ? "PENDING" : status;

export const isUndecided = ({ status }: Pick<Session, "status">): boolean =>
  status === "CAPTURING" || status === "PENDING";

/**
 * Returns when the vendor is asked next: ever more rarely, and once more when the page closes. For a decided session the interval grows
 * from 15 minutes to a day, and the last request is made when the vendor can no longer change its decision (`redecisionMs` after the
 * decision). Undefined when there is nothing more to ask.
 */
export function nextAsk(session: Session, now: Date, redecisionMs: number): Date | undefined {
  const { createdAt, expiresAt, status, decision } = session;
  const after = (since: Date, shortestMs: number, longestMs: number): Date =>
    plusMs(now, Math.min(Math.max(now.getTime() - since.getTime(), shortestMs), longestMs));
  const noLater = (next: Date, end: Date): Date => (next > end ? end : next);
  if (isUndecided(session)) {
    const next = after(createdAt, firstAskMs, longestAskMs);
    return status === "CAPTURING" && expiresAt > now ? noLater(next, expiresAt) : next;
  }
  if (decision === undefined || sessionMoves[status].length === 0) return undefined;
  const end = plusMs(decision.decidedAt, redecisionMs);
  return now < end ? noLater(after(decision.decidedAt, longestAskMs, longestReaskMs), end) : undefined;
}

/** Returns the session in another status, with its event; the unchanged session if there is no such move. */
export function moved(session: Session, status: SessionEvent["status"], at: Date): Session {
  if (!sessionMoves[session.status].includes(status)) return session;
  const next = { ...session, status, events: addDocumentEvent(session.events, status, at) };
  return isUndecided(next) ? next : { ...next, dueAt: undefined };
}

/** Applies a report of the vendor. A report that is not newer than the last one, or comes too late, changes nothing. */
export function reported(session: Session, report: SessionReport, now: Date): Session {
  const isOver = sessionMoves[session.status].length === 0;
  if (isOver || report.revision <= session.revision) return session;
  const at = timeOf(report, session.createdAt, now);
  const attempts = Math.min(Math.max(session.attempts, report.attempts), maxAttempts);
  const heard = { ...session, attempts, revision: report.revision, updatedAt: now };
  if (report.status === "OPEN") return attempts === maxAttempts ? moved(heard, "FAILED", at) : heard;
  const next = moved(heard, report.status === "IN_REVIEW" ? "PENDING" : report.status, at);
  const isDecided = next !== heard && (next.status === "VERIFIED" || next.status === "REJECTED");
  if (!isDecided) return next;
  const { reasonCode } = report;
  return {
    ...next,
    decision: { status: next.status === "VERIFIED" ? "VERIFIED" : "REJECTED", reasonCode, decidedAt: at },
  };
}

/** Ends a session that was not used before its page closed. */
export const lapsed = (session: Session, now: Date): Session =>
  session.status === "CAPTURING" && session.expiresAt <= now
    ? { ...moved(session, "EXPIRED", session.expiresAt), updatedAt: now }
    : session;

/** Ends a session in favour of a newer one of the same document. */
export const superseded = (session: Session, now: Date): Session => ({
  ...moved(session, "SUPERSEDED", now),
  updatedAt: now,
});
