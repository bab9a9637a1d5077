import { type Clock, plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { derivedUuid, type Ids } from "../../shared/kernel/ids";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import type { Tx } from "../../shared/storage/mongo";
import type { BlindIndex } from "../domain/blind-index";
import { canonicalDocumentType, superseded as supersededDocument } from "../domain/document";
import { linkLifeMs, nextAsk, type Session, superseded } from "../domain/session";
import { type GivenSession, readSession } from "../domain/session-request";
import type { Verifier } from "../ports";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import type { SessionStore } from "../store/session-store";
import { declarationKeys } from "./supersede-documents";

export interface CreateSessionDeps {
  participants: Pick<ParticipantStore, "find">;
  sessions: Pick<SessionStore, "add" | "eraseOf">;
  documents: Pick<DocumentStore, "undecided" | "replace">;
  verifier: Pick<Verifier, "open" | "redecisionMs">;
  index: BlindIndex;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  traceparent(): string;
  nudgeRelay(): void;
}

export type CreateSession = (tenant: string, given: GivenSession) => Promise<Session>;

/**
 * Opens a session at the vendor, then stores it; a session that is lost in between expires at the vendor and belongs to no record. The
 * undecided session of the same document, and its undecided uploads, end in the same commit.
 */
export const makeCreateSession =
  (deps: CreateSessionDeps): CreateSession =>
  async (tenant, given) => {
    const { facts, personId } = readSession(given);
    await requirePerson(deps, { tenant, personId });
    const now = deps.clock.now();
    const id = deps.ids.uuid();
    const expiresAt = plusMs(now, linkLifeMs);
    const { url } = await deps.verifier.open({ id, facts, expiresAt });
    const digests = await deps.index.of(tenant);
    const subject = digests.index("subject", personId ?? "", personId === undefined ? facts.userRef : "");
    const documentType = facts.documentTypes[0] ?? "";
    const opened: Session = {
      id,
      tenant,
      facts: { ...facts, url },
      documentType,
      entityId: personId ?? derivedUuid("kyc-subject", subject),
      personId,
      claim: digests.index("claim", subject, documentType),
      status: "CAPTURING",
      attempts: 0,
      revision: 0,
      decision: undefined,
      events: [],
      version: 1,
      createdAt: now,
      updatedAt: now,
      expiresAt,
      dueAt: undefined,
    };
    const session = { ...opened, dueAt: nextAsk(opened, now, deps.verifier.redecisionMs) };
    const company = {
      supersede: (older: Session) => superseded(older, now),
      alongside: (tx: Tx) => endUploads(deps, session, tx),
    };
    await retryOnConflict("document", async () =>
      (await deps.sessions.add(session, deps.traceparent(), company)) ? session : conflict,
    );
    await requirePerson(deps, session);
    deps.nudgeRelay();
    return session;
  };

/** Ends the undecided files of the session's document that the person uploaded. */
async function endUploads(
  { documents, index }: Pick<CreateSessionDeps, "documents" | "index">,
  { tenant, personId, documentType, createdAt }: Session,
  tx: Tx,
): Promise<void> {
  if (personId === undefined) return;
  const declared = { entityId: personId, documentType: canonicalDocumentType(documentType), number: undefined };
  const { claim } = declarationKeys(await index.of(tenant), declared);
  for (const older of await documents.undecided(claim, undefined, tx)) {
    await documents.replace(older, supersededDocument(older, createdAt), tx);
  }
}

/** A person who is erased while the session is being opened has it erased as well. */
async function requirePerson(
  { participants, sessions }: Pick<CreateSessionDeps, "participants" | "sessions">,
  { tenant, personId }: Pick<Session, "tenant" | "personId">,
): Promise<void> {
  if (personId === undefined || (await participants.find(tenant, "PERSON", personId)) !== undefined) return;
  await sessions.eraseOf(tenant, personId);
  throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person");
}
