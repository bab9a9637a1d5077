import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { type Document, shownStatus as documentStatus } from "../domain/document";
import { type Session, type ShownStatus, shownStatus as sessionStatus } from "../domain/session";
import { readVerification, type VerificationRequest } from "../domain/session-request";
import type { Verification } from "../ports";
import type { DocumentStore } from "../store/document-store";
import type { SessionStore } from "../store/session-store";
import type { VerificationStore } from "../store/verification-store";
import type { AdvanceDocument } from "./advance-document";
import type { AdvanceSession } from "./advance-session";

/** Something that can be verified. */
interface Subject {
  /** Its status as callers see it; undefined for an id that the tenant does not have. */
  read(tenant: string, id: string): Promise<ShownStatus | undefined>;
  /** Asks the vendor or the reader for its decision, and returns the resulting status. Without an answer the status stays. */
  ask(id: string): Promise<ShownStatus | undefined>;
}

export type Subjects = Readonly<Record<Verification["about"], Subject>>;

/** The kinds of subjects of verifications. */
export function makeSubjects(
  sessions: Pick<SessionStore, "find">,
  documents: Pick<DocumentStore, "find">,
  advance: { session: Pick<AdvanceSession, "ask">; document: Pick<AdvanceDocument, "ask"> },
): Subjects {
  const ofTenant = <S extends Session | Document>(tenant: string, found: S | undefined): S | undefined =>
    found?.tenant === tenant ? found : undefined;
  const ofSession = (session: Session | undefined): ShownStatus | undefined => session && sessionStatus(session);
  const ofDocument = (document: Document | undefined): ShownStatus | undefined => document && documentStatus(document);
  return {
    session: {
      read: async (tenant, id) => ofSession(ofTenant(tenant, await sessions.find(id))),
      ask: async (id) => ofSession(await advance.session.ask(id)),
    },
    document: {
      read: async (tenant, id) => ofDocument(ofTenant(tenant, await documents.find(id))),
      ask: async (id) => ofDocument(await advance.document.ask(id)),
    },
  };
}

export interface CreateVerificationDeps {
  subjects: Subjects;
  verifications: Pick<VerificationStore, "add">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

/** A verification, and the status of its subject. */
export interface AskedVerification {
  verification: Verification;
  status: ShownStatus;
}

export type CreateVerification = (tenant: string, asked: VerificationRequest) => Promise<AskedVerification>;

/**
 * Stores a verification of a session or a document, and asks the vendor or reader that decides about it. Events name both by one kind of
 * id, so either is looked up, whichever the caller says it is. Throws SESSION_NOT_FOUND.
 */
export const makeCreateVerification =
  ({ subjects, verifications, clock, ids }: CreateVerificationDeps): CreateVerification =>
  async (tenant, asked) => {
    const { subjectId, checks } = readVerification(asked);
    const isSession = (await subjects.session.read(tenant, subjectId)) !== undefined;
    const about = isSession ? "session" : "document";
    const known = await requireStatus(subjects, { tenant, about, subjectId });
    const verification: Verification = { id: ids.uuid(), tenant, about, subjectId, checks, createdAt: clock.now() };
    await verifications.add(verification);
    return { verification, status: (await subjects[about].ask(subjectId)) ?? known };
  };

/** Returns the status of the tenant's session or document; throws SESSION_NOT_FOUND when there is none. */
export async function requireStatus(
  subjects: Subjects,
  { tenant, about, subjectId }: Pick<Verification, "tenant" | "about" | "subjectId">,
): Promise<ShownStatus> {
  const status = await subjects[about].read(tenant, subjectId);
  if (status === undefined) throw new DomainError("SESSION_NOT_FOUND", "there is no such session or document");
  return status;
}
