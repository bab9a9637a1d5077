import type { GetLimitsRequest, GetLimitsResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { Clock } from "../../shared/kernel/clock";
import { windowCodec } from "../../shared/rpc/refusal-facts";
import { type AgentLimits, windowLimits } from "../domain/limits";
import type { LimitStore } from "../store/limit-store";

export interface GetLimitsDeps {
  limits: Pick<LimitStore, "used">;
  limitsOf(tenant: string): AgentLimits;
  clock: Clock;
}

/** Reads the limits as configured, and from the store what was used; no decision is involved. */
export const getLimitsHandler =
  ({ limits, limitsOf, clock }: GetLimitsDeps) =>
  async ({ tenant, agentId }: GetLimitsRequest): Promise<GetLimitsResponse> => {
    const present = windowLimits(limitsOf(tenant), { tenant, agentId, at: clock.now() });
    const used = await limits.used(present);
    return {
      limits: present.map(({ currency, window, limitMinor, resetsAt }, index) => ({
        currency,
        window: windowCodec.encode(window),
        limitMinor,
        usedMinor: used[index] ?? 0n,
        resetsAt,
      })),
    };
  };
