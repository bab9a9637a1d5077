import type { Clock } from "../../shared/kernel/clock";
import type { ExposureLimit } from "../domain/exposure";
import type { ExposureLimitStore } from "../store/exposure-limit-store";

export interface SetExposureLimitDeps {
  limits: Pick<ExposureLimitStore, "set" | "remove">;
  clock: Clock;
}

/** The limit of a currency as an operator wants it; undefined removes it. */
export type LimitOrder = Omit<ExposureLimit, "setAt" | "limitMinor"> & { limitMinor: bigint | undefined };

export type SetExposureLimit = (order: LimitOrder) => Promise<void>;

/** Sets or removes the limit of a currency; every replica goes by it after its next reading. */
export const makeSetExposureLimit =
  ({ limits, clock }: SetExposureLimitDeps): SetExposureLimit =>
  ({ limitMinor, ...order }) =>
    limitMinor === undefined ? limits.remove(order.currency) : limits.set({ ...order, limitMinor, setAt: clock.now() });
