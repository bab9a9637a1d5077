import type { Clock } from "../../shared/kernel/clock";
import type { ProviderVerdict } from "../domain/payment-decision";
import { type ApplyVerdictDeps, applyVerdict } from "./apply-verdict";

export type ApplyScreeningReportDeps = ApplyVerdictDeps & { clock: Clock };

export type ApplyScreeningReport = (report: { paymentId: string; verdict: ProviderVerdict }) => Promise<void>;

/**
 * Applies the provider's decision about a payment that it had under review. A report that arrives before our own decision is stored is not
 * lost: the provider is asked again for as long as the payment waits.
 */
export const makeApplyScreeningReport =
  (deps: ApplyScreeningReportDeps): ApplyScreeningReport =>
  async ({ paymentId, verdict }) => {
    await applyVerdict(deps, paymentId, verdict, deps.clock.now());
  };
