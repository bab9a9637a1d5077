import type { Clock } from "../../shared/clock";
import type { Ids } from "../../shared/ids";
import type { Transact } from "../../shared/mongo";
import { type Participant, questionOf, screenedAgain } from "../domain/participant";
import { raised } from "../domain/payment-decision";
import { openReview, type Review, renewReview, uncleared } from "../domain/review";
import { type Names, namesOf } from "../domain/screening";
import type { Screening } from "../ports";
import type { DecisionStore } from "../store/decision-store";
import type { ExceptionStore } from "../store/exception-store";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";

export interface ScreenAgainDeps {
  transact: Transact;
  participants: Pick<ParticipantStore, "replace" | "noteScreened">;
  reviews: Pick<ReviewStore, "add" | "save" | "find" | "findOpen">;
  decisions: Pick<DecisionStore, "find" | "save">;
  exceptions: Pick<ExceptionStore, "of">;
  screening: Screening;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  nudgeRelay(): void;
}

/** Screens by the present list what another version has screened. Done twice, it changes nothing the second time. */
export interface ScreenAgain {
  /** A record whose rival was faster is left: it was screened by that, or is found again. */
  participant(before: Participant): Promise<void>;
  /** A payment that waits for a person. Throws VERSION_CONFLICT when somebody else was faster. */
  payment(review: Review): Promise<void>;
}

export const makeScreenAgain = (deps: ScreenAgainDeps): ScreenAgain => ({
  async participant(before) {
    const { transact, participants, reviews, exceptions, screening, clock, ids } = deps;
    const { hits, listVersion } = screening.screen(before.fields);
    const open = uncleared(hits, await exceptions.of(before.tenant, before.id));
    const next = screenedAgain(before, open, listVersion, clock.now());
    if (open.length === 0 || next.status !== "IN_REVIEW") {
      await participants.noteScreened(next);
      return;
    }
    await transact(async (tx) => {
      const isMoved = next.version !== before.version;
      const isFirst = isMoved ? await participants.replace(next, tx) : await participants.noteScreened(next, tx);
      if (!isFirst) return;
      const review = await reviews.findOpen(next.tenant, next.id, tx);
      if (review !== undefined) await reviews.save(renewReview(review, open, listVersion), tx);
      else await reviews.add(openReview(questionOf(next, ids.uuid(), open), next.updatedAt), tx);
    });
  },
  async payment({ id, tenant, subjectId, words }) {
    const { transact, reviews, decisions, exceptions, screening, clock, nudgeRelay } = deps;
    const { hits, listVersion } = screening.screen(...peopleOf(words));
    const at = clock.now();
    await transact(async (tx) => {
      const review = await reviews.find(id, tx);
      const decision = await decisions.find(tenant, subjectId, tx);
      if (review?.status !== "OPEN" || decision === undefined) return;
      const open = uncleared(hits, await exceptions.of(tenant, subjectId, tx));
      const renewed = renewReview(review, open, listVersion);
      await reviews.save(renewed, tx);
      const evidence = { provider: decision.provider, hits: renewed.hits, listVersion };
      await decisions.save(raised(decision, evidence, at), tx);
    });
    nudgeRelay();
  },
});

/** Who a payment was screened for, by the facts that its review keeps. */
function peopleOf(words: Review["words"]): Names[] {
  const { senderName, recipientName } = words?.facts ?? {};
  return [senderName, recipientName].flatMap((name) => (typeof name === "string" ? [namesOf(name)] : []));
}
