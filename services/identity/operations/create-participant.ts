import type { Ids } from "../../shared/ids";
import type { JsonObject } from "../../shared/json";
import type { Transact } from "../../shared/mongo";
import { judged, type Participant, type ParticipantKind, questionOf, typeOf } from "../domain/participant";
import { parsePerson } from "../domain/person-fields";
import { openReview } from "../domain/review";
import { type Judges, judgePerson } from "../judge-person";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import { judgesOf } from "../tenant-judges";

export interface CreateParticipantDeps extends Judges {
  transact: Transact;
  participants: Pick<ParticipantStore, "add">;
  reviews: Pick<ReviewStore, "add">;
  ids: Pick<Ids, "uuid">;
}

export type CreateParticipant = (tenant: string, kind: ParticipantKind, body: JsonObject) => Promise<Participant>;

/** Keeps a person or company: approved, rejected while it does not meet a rule, or with an open review when a list names it. */
export const makeCreateParticipant =
  ({ transact, participants, reviews, ids, ...judges }: CreateParticipantDeps): CreateParticipant =>
  async (tenant, kind, body) => {
    const at = judges.clock.now();
    const fields = parsePerson(body, at, typeOf(kind));
    const facts = { id: ids.uuid(), tenant, kind, version: 1, createdAt: at, updatedAt: at };
    const { listVersion, ...findings } = await judgePerson(judgesOf(judges, tenant), fields);
    const participant = { ...facts, ...judged(fields, findings, listVersion) };
    if (participant.status !== "IN_REVIEW") await participants.add(participant);
    else {
      const review = openReview(questionOf(participant, ids.uuid(), findings.hits), at);
      await transact(async (tx) => {
        await participants.add(participant, tx);
        await reviews.add(review, tx);
      });
    }
    return participant;
  };
