import type { Environment } from "../environment";
import { contentHash, openRecordStore } from "../record-store";
import { openErasures } from "./erasures";

type CaptureStatus = "OPEN" | "IN_REVIEW" | "VERIFIED" | "REJECTED" | "FAILED" | "ERRORED" | "EXPIRED";

/** One session in which a person shows a document to this vendor. */
export interface Capture {
  reference: string;
  contentHash: string;
  userRef: string;
  status: CaptureStatus;
  /** Number of captures so far. */
  attempts: number;
  /** Increases with every change, from 1. */
  revision: number;
  reasonCode: string | null;
  pageId: string;
  redirectUrl: string | null;
  occurredAt: string;
  expiresAt: string;
  calls: number;
}

export interface CaptureOrder {
  reference: string;
  userRef: string;
  documentTypes: readonly string[];
  countryCode: string;
  redirectUrl: string;
  expiresAt: string;
}

/** Actions of a person or a reviewer on the page. */
export const captureActs = ["verify", "reject", "review", "unreadable"] as const;
export type CaptureAct = (typeof captureActs)[number];

/** The vendor's durable book. Changes of a capture run inside `Database.write`. */
export interface Captures {
  /** Undefined when the reference was used for other content, or erased. */
  open(order: CaptureOrder): { capture: Capture; isNew: boolean } | undefined;
  find(reference: string): Capture | undefined;
  ofPage(pageId: string): Capture | undefined;
  /** False when the capture has ended. */
  act(capture: Capture, act: CaptureAct): boolean;
  /** Erases a session, and any that is opened under its reference later. */
  erase(reference: string): { reference: string; erasedAt: string };
  list(): Capture[];
}

/** Outcomes by the ending of `userRef`. */
export const captureEndings = {
  "-verify": { status: "VERIFIED", attempts: 1, reasonCode: null },
  "-reject": { status: "REJECTED", attempts: 1, reasonCode: "DOCUMENT_NOT_GENUINE" },
  "-fail": { status: "FAILED", attempts: 3, reasonCode: "DOCUMENT_UNREADABLE" },
  "-expire": { status: "EXPIRED", attempts: 0, reasonCode: null },
  "-error": { status: "ERRORED", attempts: 0, reasonCode: "VENDOR_STOPPED" },
} as const;

const maxAttempts = 3;
const decideAfterMs = 100;

export function openCaptures({ database, clock, ids, callbacks, jobs }: Environment): Captures {
  const records = openRecordStore<Capture>(database, "captures");
  const pages = openRecordStore<{ reference: string }>(database, "capturePages");
  const erasures = openErasures({ database, clock }, "erasedCaptures");
  const change = (before: Capture, changes: Partial<Capture>): void => {
    const occurredAt = clock.now().toISOString();
    const capture = { ...before, ...changes, revision: before.revision + 1, occurredAt };
    records.save(capture.reference, capture);
    callbacks.report("kyc", render(capture));
  };
  jobs.on("capture-ending", (reference) => {
    const found = records.find(reference);
    const ending = found?.status === "OPEN" ? endingOf(found.userRef) : undefined;
    if (found !== undefined && ending !== undefined) change(found, ending);
  });
  jobs.on("capture-expiry", (reference) => {
    const found = records.find(reference);
    if (found?.status === "OPEN") change(found, { status: "EXPIRED" });
  });
  return {
    open(order) {
      const { reference, userRef, redirectUrl, expiresAt } = order;
      if (erasures.has(reference)) return undefined;
      const hash = contentHash(order);
      const found = records.find(reference);
      if (found !== undefined) {
        records.save(reference, { ...found, calls: found.calls + 1 });
        return found.contentHash === hash ? { capture: found, isNew: false } : undefined;
      }
      const now = clock.now();
      const capture: Capture = {
        reference,
        contentHash: hash,
        userRef,
        status: "OPEN",
        attempts: 0,
        revision: 1,
        reasonCode: null,
        pageId: ids.uuid(),
        redirectUrl: redirectUrl === "" ? null : redirectUrl,
        occurredAt: now.toISOString(),
        expiresAt,
        calls: 1,
      };
      records.save(reference, capture);
      pages.save(capture.pageId, { reference });
      if (endingOf(userRef) !== undefined) jobs.add("capture-ending", reference, decideAfterMs);
      jobs.add("capture-expiry", reference, Math.max(0, Date.parse(expiresAt) - now.getTime()));
      return { capture, isNew: true };
    },
    find: (reference) => records.find(reference),
    ofPage: (pageId) => records.find(pages.find(pageId)?.reference ?? ""),
    act(before, act) {
      const { status } = before;
      const isOver = status === "FAILED" || status === "ERRORED" || status === "EXPIRED";
      const isCapture = status === "OPEN";
      if (isOver || (!isCapture && (act === "review" || act === "unreadable"))) return false;
      const attempts = before.attempts + (isCapture ? 1 : 0);
      change(before, { attempts, ...resultOf(act, attempts) });
      return true;
    },
    erase(reference) {
      pages.remove(records.find(reference)?.pageId ?? "");
      records.remove(reference);
      return erasures.note(reference);
    },
    list: () => records.list(),
  };
}

function resultOf(act: CaptureAct, attempts: number): Pick<Capture, "status" | "reasonCode"> {
  switch (act) {
    case "verify":
      return { status: "VERIFIED", reasonCode: null };
    case "reject":
      return { status: "REJECTED", reasonCode: "DOCUMENT_NOT_GENUINE" };
    case "review":
      return { status: "IN_REVIEW", reasonCode: null };
    case "unreadable":
      return { status: attempts < maxAttempts ? "OPEN" : "FAILED", reasonCode: "DOCUMENT_UNREADABLE" };
  }
}

const endingOf = (userRef: string): Partial<Capture> | undefined =>
  Object.entries(captureEndings).find(([ending]) => userRef.endsWith(ending))?.[1];

/** A capture as answers and callbacks show it. */
export const render = ({ reference, status, attempts, revision, reasonCode, occurredAt }: Capture) => ({
  reference,
  status,
  attempts,
  revision,
  occurredAt,
  ...(reasonCode === null ? {} : { reasonCode }),
});
