import { type SessionStatus, sessionReportStatuses } from "../../../services/identity/domain/session";
import { cellsOf, readTransitions } from "../transition-table";

/** What a session can meet: a report of the vendor, a newer session of its document, the end of its page's day. */
export const happenings = [...sessionReportStatuses, "newer", "day"] as const;
export type Happening = (typeof happenings)[number];

/** By status and by what happens: the status after it. Written by hand from the specification. */
export const sessionGraph = readTransitions(`
              OPEN       IN_REVIEW  VERIFIED   REJECTED   FAILED     ERRORED    EXPIRED    newer      day
  CAPTURING   CAPTURING  PENDING    VERIFIED   REJECTED   FAILED     ERRORED    EXPIRED    SUPERSEDED EXPIRED
  PENDING     PENDING    PENDING    VERIFIED   REJECTED   PENDING    ERRORED    PENDING    SUPERSEDED PENDING
  VERIFIED    VERIFIED   VERIFIED   VERIFIED   REJECTED   VERIFIED   VERIFIED   VERIFIED   VERIFIED   VERIFIED
  REJECTED    REJECTED   REJECTED   VERIFIED   REJECTED   REJECTED   REJECTED   REJECTED   REJECTED   REJECTED
  SUPERSEDED  SUPERSEDED SUPERSEDED SUPERSEDED SUPERSEDED SUPERSEDED SUPERSEDED SUPERSEDED SUPERSEDED SUPERSEDED
  FAILED      FAILED     FAILED     FAILED     FAILED     FAILED     FAILED     FAILED     FAILED     FAILED
  ERRORED     ERRORED    ERRORED    ERRORED    ERRORED    ERRORED    ERRORED    ERRORED    ERRORED    ERRORED
  EXPIRED     EXPIRED    EXPIRED    EXPIRED    EXPIRED    EXPIRED    EXPIRED    EXPIRED    EXPIRED    EXPIRED
`);

export const sessionCells = cellsOf(sessionGraph).map(
  ([from, what, to]) => [from as SessionStatus, what as Happening, to as SessionStatus] as const,
);
