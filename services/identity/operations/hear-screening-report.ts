import type { Clock } from "../../shared/kernel/clock";
import type { ProviderVerdict } from "../domain/payment-decision";
import { type HearVerdictDeps, hearVerdict } from "./apply-verdict";

export type HearScreeningReportDeps = HearVerdictDeps & { clock: Clock };

export type HearScreeningReport = (report: { paymentId: string; verdict: ProviderVerdict }) => Promise<void>;

/**
 * Takes the provider's decision about a payment that it wanted to look at. One that comes before our own decision is
 * stored is not lost: the provider is asked again for as long as the payment waits.
 */
export const makeHearScreeningReport =
  (deps: HearScreeningReportDeps): HearScreeningReport =>
  async ({ paymentId, verdict }) => {
    await hearVerdict(deps, paymentId, verdict, deps.clock.now());
  };
