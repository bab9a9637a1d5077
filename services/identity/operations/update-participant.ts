import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import type { Transact } from "../../shared/storage/mongo";
import type { BlindIndex } from "../domain/blind-index";
import { changed, type Participant, type ParticipantKind, questionOf, typeOf } from "../domain/participant";
import { type FieldPath, type GivenPerson, parsePerson, withChanges } from "../domain/person-fields";
import { endReview, openReview, renewReview, uncleared } from "../domain/review";
import type { ScreeningHit } from "../domain/screening";
import type { DocumentStore } from "../store/document-store";
import type { ExceptionStore } from "../store/exception-store";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import { screenCompaniesBehind } from "./company-chain";
import { evaluateOwners, requireParties, withOwners } from "./evaluate-owners";
import { type EvaluationSources, evaluatePerson } from "./evaluate-person";
import { declarationKeys, declaredBy, supersedeDocuments } from "./supersede-documents";
import { sourcesOfTenant } from "./tenant-sources";

export interface UpdateParticipantDeps extends EvaluationSources {
  transact: Transact;
  participants: Pick<ParticipantStore, "find" | "replace" | "findEach" | "relyOn" | "companiesOf" | "forgetScreening">;
  reviews: Pick<ReviewStore, "add" | "save" | "findOpen">;
  exceptions: Pick<ExceptionStore, "of">;
  documents: Pick<DocumentStore, "declare" | "undecided" | "replace">;
  index: BlindIndex;
  nudgeRelay(): void;
  ids: Pick<Ids, "uuid">;
}

export interface UpdateParticipantCommand {
  tenant: string;
  kind: ParticipantKind;
  id: string;
  /** New values of the fields that `paths` name; a field without a value is removed. */
  given: GivenPerson;
  paths: readonly FieldPath[];
  /** The version that the caller has seen; undefined allows any version. */
  expectedVersion: number | undefined;
}

export type UpdateParticipant = (command: UpdateParticipantCommand) => Promise<Participant>;

/**
 * Changes fields of a record and evaluates it again: hits go to review, and a review without remaining hits is withdrawn. Without an
 * expected version it retries when other writers are first.
 */
export const makeUpdateParticipant =
  (deps: UpdateParticipantDeps): UpdateParticipant =>
  async ({ tenant, kind, id, given, paths, expectedVersion }) => {
    const { participants, clock } = deps;
    return retryOnConflict("record", async () => {
      const before = await participants.find(tenant, kind, id);
      if (before === undefined) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
      if (expectedVersion !== undefined && expectedVersion !== before.version) {
        throw new DomainError("PRECONDITION_FAILED", "the record has changed since it was read");
      }
      const at = clock.now();
      const fields = parsePerson(withChanges(before.fields, given, paths), at, typeOf(kind));
      const exceptions = await deps.exceptions.of(tenant, id);
      const company = { tenant, id, kind, fields };
      const isSaid = paths.includes("relatedParties");
      const owners = await evaluateOwners(deps, company, at, (chain) => {
        if (isSaid) requireParties(company, chain);
      });
      const { listVersion, ...findings } = await evaluatePerson(sourcesOfTenant(deps, tenant), fields, (hits) =>
        uncleared(withOwners(hits, owners), exceptions, at),
      );
      const next = changed(before, fields, findings, listVersion, at);
      return (await store(deps, { before, next, hits: findings.hits, seen: owners.seen })) ? next : conflict;
    });
  };

interface Change {
  before: Participant;
  next: Participant;
  hits: readonly ScreeningHit[];
  /** The owners and controllers with which a company was evaluated. */
  seen: readonly Participant[];
}

/**
 * Saves the record, with its review if it enters or leaves one, and ends undecided files with a number other than the declared one. Returns
 * false when another writer was first.
 */
async function store(
  { transact, participants, reviews, documents, index, nudgeRelay, ids }: UpdateParticipantDeps,
  { before, next, hits, seen }: Change,
): Promise<boolean> {
  const at = next.updatedAt;
  const isInReview = next.status === "IN_REVIEW";
  const declared = declaredBy(before, next);
  const wasInReview = before.status === "IN_REVIEW";
  const isListed = [before, next].some(({ reasonCodes }) => reasonCodes.includes("SCREENING_HIT"));
  const touchesOthers = isListed || next.kind === "COMPANY";
  if (!isInReview && !wasInReview && declared === undefined && !touchesOthers) return participants.replace(next);
  const isStored = await transact(async (tx) => {
    if (!(await participants.relyOn(next.tenant, seen, tx)) || !(await participants.replace(next, tx))) return false;
    if (touchesOthers) await screenCompaniesBehind(participants, next.tenant, next.id, tx);
    if (declared !== undefined) {
      const keys = declarationKeys(await index.of(declared.tenant), declared);
      await supersedeDocuments(documents, declared, keys, at, tx);
    }
    if (!isInReview && !wasInReview) return true;
    const review = await reviews.findOpen(next.tenant, next.id, tx);
    if (review === undefined) {
      if (isInReview) await reviews.add(openReview(questionOf(next, ids.uuid(), hits), at), tx);
    } else if (isInReview) await reviews.save(renewReview(review, hits, next.listVersion), tx);
    else await reviews.save(endReview(review, "WITHDRAWN", "platform", "the record no longer has a hit", at), tx);
    return true;
  });
  if (declared !== undefined) nudgeRelay();
  return isStored;
}
