import type { Clock } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import {
  type CardCheck,
  type CardCheckOutcome,
  type CardReport,
  type CardVerdict,
  cardCheckViolations,
  cardholderOf,
  cardTokenField,
  isComparable,
  outcomeOf,
} from "../domain/card-check";
import { requireNone } from "../domain/check-fields";
import type { CardVerifier } from "../domain/check-ports";
import type { CardVerdictStore } from "../store/card-verdict-store";
import type { CountCardCheck } from "./limit-card-checks";

export interface CheckCardDeps {
  verdicts: CardVerdictStore;
  verifier: CardVerifier;
  countCheck: CountCardCheck;
  clock: Clock;
  uuid(): string;
}

export type CheckCard = (tenant: string, check: CardCheck) => Promise<CardCheckOutcome>;

/**
 * Checks a card without a charge. The first verdict about names and card token is kept and answers every repeat; a challenge is not a
 * verdict, and is asked for again each time. Throws INVALID_ARGUMENT with every failed field, RATE_LIMITED (answers from a kept verdict
 * do not count), and UNAVAILABLE.
 */
export const makeCheckCard =
  (deps: CheckCardDeps): CheckCard =>
  async (tenant, check) => {
    requireNone(cardCheckViolations(check));
    const known = await deps.verdicts.find(tenant, check);
    if (known !== undefined) return outcomeOf(check, known);
    await deps.countCheck(tenant, check.cardToken);
    const verdict: CardVerdict = {
      paymentId: deps.uuid(),
      createdAt: deps.clock.now(),
      report: await ask(deps.verifier, check, deps.uuid()),
    };
    if (verdict.report.status === "CHALLENGE") return outcomeOf(check, verdict);
    return outcomeOf(check, await deps.verdicts.keep(tenant, check, verdict));
  };

async function ask(verifier: CardVerifier, check: CardCheck, reference: string): Promise<CardReport> {
  const cardholder = cardholderOf(check);
  const outcome = await verifier.verify({
    reference,
    cardToken: check.cardToken,
    ipAddress: check.ipAddress,
    cardholder,
    hasNameInquiry: isComparable(cardholder),
  });
  if (outcome.kind === "report") return outcome.report;
  if (outcome.kind === "unknown-token") throw invalid([{ field: cardTokenField, message: "is an unknown token" }]);
  throw new DomainError("UNAVAILABLE", "the card network does not answer");
}
