import type {
  GetTimelineRequest,
  GetTimelineResponse,
  ProviderFact,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError } from "../../shared/kernel/errors";
import type { Cause } from "../../shared/kernel/reason-codes";
import type { KeptFact } from "../domain/fact";
import { roleOf, type Step } from "../domain/steps";
import type { PaymentStore } from "../store/payment-store";
import { encodeEvent } from "./event-codec";
import { encodeReason } from "./reason-codec";

/** Reads straight from the store; no decision is involved. */
export const getTimelineHandler =
  (payments: Pick<PaymentStore, "findStory">) =>
  async ({ tenant, externalPaymentId, withEvidence }: GetTimelineRequest): Promise<GetTimelineResponse> => {
    const found = await payments.findStory(tenant, externalPaymentId);
    if (found === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
    const { payment, events, attempts, facts } = found;
    return {
      paymentId: payment.id,
      externalPaymentId: payment.externalId,
      events: events.map((event) => encodeEvent(payment, event)),
      attempts: attempts.map(({ code, ...attempt }) => ({
        ...attempt,
        reason: encodeReason(causeOf(attempt.step, code)),
      })),
      facts: facts.map((fact) => encodeFact(fact, withEvidence)),
    };
  };

const encodeFact = (fact: KeptFact, withEvidence: boolean): ProviderFact => {
  const { provider, kind, reference, movementId, minor, currency, providerAt, at, evidence } = fact;
  return {
    ...{ provider, kind, reference, movementId, providerAt, at },
    amount: minor === undefined || currency === undefined ? undefined : { amountMinor: minor, currency },
    evidenceHash: evidence?.hash,
    // Evidence whose text is no longer kept has an empty text.
    evidence: withEvidence && evidence?.raw !== "" ? evidence?.raw : undefined,
  };
};

const causeOf = (step: Step, code: string | undefined): Cause | undefined =>
  code === undefined ? undefined : { code, leg: roleOf[step] === "pull" ? "pull" : "payout" };
