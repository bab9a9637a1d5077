import type { Ids } from "../../shared/kernel/ids";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import type { Transact } from "../../shared/storage/mongo";
import { evaluated, type Participant, type ParticipantKind, questionOf, typeOf } from "../domain/participant";
import { type GivenPerson, parsePerson } from "../domain/person-fields";
import { openReview } from "../domain/review";
import type { ExceptionStore } from "../store/exception-store";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import { evaluateOwners, requireParties, withOwners } from "./evaluate-owners";
import { type EvaluationSources, evaluatePerson } from "./evaluate-person";
import { sourcesOfTenant } from "./tenant-sources";

export interface CreateParticipantDeps extends EvaluationSources {
  transact: Transact;
  participants: Pick<ParticipantStore, "add" | "findEach" | "relyOn">;
  exceptions: Pick<ExceptionStore, "of">;
  reviews: Pick<ReviewStore, "add">;
  ids: Pick<Ids, "uuid">;
}

export type CreateParticipant = (tenant: string, kind: ParticipantKind, given: GivenPerson) => Promise<Participant>;

/**
 * Stores a person or company: approved, rejected while it does not meet a rule, or with an open review when a list names it or its owners.
 * The owners of a company are those with which it was evaluated.
 */
export const makeCreateParticipant =
  ({ transact, participants, reviews, exceptions, ids, ...sources }: CreateParticipantDeps): CreateParticipant =>
  async (tenant, kind, given) => {
    const at = sources.clock.now();
    const fields = parsePerson(given, at, typeOf(kind));
    const facts = { id: ids.uuid(), tenant, kind, version: 1, createdAt: at, updatedAt: at };
    const company = { ...facts, fields };
    return retryOnConflict("record", async () => {
      const owners = await evaluateOwners({ ...sources, participants, exceptions }, company, at, (chain) =>
        requireParties(company, chain),
      );
      const { listVersion, unmet, hits: own } = await evaluatePerson(sourcesOfTenant(sources, tenant), fields);
      const hits = withOwners(own, owners);
      const participant = { ...facts, ...evaluated(fields, { unmet, hits }, listVersion) };
      const isInReview = participant.status === "IN_REVIEW";
      if (!isInReview && owners.seen.length === 0) {
        await participants.add(participant);
        return participant;
      }
      const isKept = await transact(async (tx) => {
        if (!(await participants.relyOn(tenant, owners.seen, tx))) return false;
        await participants.add(participant, tx);
        if (isInReview) await reviews.add(openReview(questionOf(participant, ids.uuid(), hits), at), tx);
        return true;
      });
      return isKept ? participant : conflict;
    });
  };
