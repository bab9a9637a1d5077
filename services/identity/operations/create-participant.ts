import type { Clock } from "../../shared/clock";
import type { Ids } from "../../shared/ids";
import type { JsonObject } from "../../shared/json";
import type { Transact } from "../../shared/mongo";
import { type Participant, type ParticipantKind, questionOf, requireKind, screened } from "../domain/participant";
import { parsePerson } from "../domain/person-fields";
import { openReview } from "../domain/review";
import type { Screening } from "../ports";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";

export interface CreateParticipantDeps {
  transact: Transact;
  participants: Pick<ParticipantStore, "add">;
  reviews: Pick<ReviewStore, "add">;
  screening: Screening;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type CreateParticipant = (tenant: string, kind: ParticipantKind, body: JsonObject) => Promise<Participant>;

/** Keeps a person or company: approved, or with an open review when the list names it. */
export const makeCreateParticipant =
  ({ transact, participants, reviews, screening, clock, ids }: CreateParticipantDeps): CreateParticipant =>
  async (tenant, kind, body) => {
    const at = clock.now();
    const fields = requireKind(kind, parsePerson(body, at));
    const facts = { id: ids.uuid(), tenant, kind, version: 1, createdAt: at, updatedAt: at };
    const { hits, listVersion } = screening.screenFor(tenant, fields);
    const participant = { ...facts, ...screened(fields, hits, listVersion) };
    if (participant.status !== "IN_REVIEW") await participants.add(participant);
    else {
      const review = openReview(questionOf(participant, ids.uuid(), hits), at);
      await transact(async (tx) => {
        await participants.add(participant, tx);
        await reviews.add(review, tx);
      });
    }
    return participant;
  };
