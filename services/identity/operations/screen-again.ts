import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { Transact } from "../../shared/storage/mongo";
import { notScreened, type Participant, questionOf, screenedAgain } from "../domain/participant";
import { raised } from "../domain/payment-decision";
import { openReview, type Review, renewReview, uncleared } from "../domain/review";
import { screenedParties } from "../domain/screened-payment";
import type { Screening } from "../ports";
import type { DecisionStore } from "../store/decision-store";
import type { ExceptionStore } from "../store/exception-store";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import { screenCompaniesBehind } from "./company-chain";
import { evaluateOwners, withOwners } from "./evaluate-owners";

export interface ScreenAgainDeps {
  transact: Transact;
  participants: Pick<
    ParticipantStore,
    "replace" | "noteScreened" | "noteEachScreened" | "findEach" | "relyOn" | "companiesOf" | "forgetScreening"
  >;
  reviews: Pick<ReviewStore, "add" | "save" | "find" | "findOpen">;
  decisions: Pick<DecisionStore, "find" | "save">;
  exceptions: Pick<ExceptionStore, "of">;
  screening: Screening;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  nudgeRelay(): void;
}

/** Screens against the current list what another version has screened. A repeat changes nothing. */
export interface ScreenAgain {
  /**
   * Returns those of these records that the change of the lists may affect. The others are noted as screened, all at once: they resemble no
   * new or changed entry.
   */
  touched(records: readonly Participant[]): Promise<readonly Participant[]>;
  /** A record that another process changed first is skipped: that process screened it, or it is found again. */
  participant(before: Participant): Promise<void>;
  /** Screens a payment that waits for a person. Throws VERSION_CONFLICT when another writer was first. */
  payment(review: Review): Promise<void>;
}

export const makeScreenAgain = (deps: ScreenAgainDeps): ScreenAgain => ({
  async touched(records) {
    const { participants, screening } = deps;
    const untouched = records.filter(({ tenant, fields, listVersion }) => {
      const changed = screening.screenChanges(listVersion, tenant, fields);
      return changed !== undefined && changed.hits.length === 0;
    });
    await participants.noteEachScreened(untouched, screening.version());
    return records.filter((record) => !untouched.includes(record));
  },
  async participant(before) {
    const { transact, participants, reviews, exceptions, screening, clock, ids } = deps;
    const { tenant } = before;
    const { hits, listVersion } = screening.screenFor(tenant, before.fields);
    const owners = await evaluateOwners(deps, before, clock.now());
    const open = uncleared(withOwners(hits, owners), await exceptions.of(tenant, before.id), clock.now());
    const next = screenedAgain(before, open, listVersion, clock.now());
    if (open.length === 0 && owners.seen.length === 0) {
      await participants.noteScreened(next);
      return;
    }
    await transact(async (tx) => {
      if (!(await participants.relyOn(tenant, owners.seen, tx))) return;
      // A record marked to be screened again was marked together with its owners.
      const isTold = before.listVersion === notScreened;
      if (open.length > 0 && !isTold) await screenCompaniesBehind(participants, tenant, before.id, tx);
      if (open.length === 0 || next.status !== "IN_REVIEW") {
        await participants.noteScreened(next, tx);
        return;
      }
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
    const { hits, listVersion } = screening.screenFor(
      tenant,
      ...(words?.facts === undefined ? [] : screenedParties(words.facts)),
    );
    const at = clock.now();
    await transact(async (tx) => {
      const review = await reviews.find(id, tx);
      const decision = await decisions.find(tenant, subjectId, tx);
      if (review?.status !== "OPEN" || decision === undefined) return;
      const open = uncleared(hits, await exceptions.of(tenant, subjectId, tx), at);
      const renewed = renewReview(review, open, listVersion);
      await reviews.save(renewed, tx);
      const evidence = { provider: decision.provider, hits: renewed.hits, listVersion };
      await decisions.save(raised(decision, evidence, at), tx);
    });
    nudgeRelay();
  },
});
