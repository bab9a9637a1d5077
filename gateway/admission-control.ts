import { monotonicMs } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";
import type { Running } from "../services/shared/process/lifecycle";

/** Refuses requests under load, so that admitted ones are answered in time. */
export interface AdmissionControl extends Running {
  /** Throws UNAVAILABLE while this process lags, before any work is done for a request. */
  requireCalm(): void;
  /**
   * Admits a request of a known caller that was read in full. Throws UNAVAILABLE when too many are in flight. Returns a function to call
   * when the request is answered.
   */
  enter(): () => void;
  /** Requests in progress. */
  inFlight(): number;
}

export interface AdmissionOptions {
  /** Most requests in progress at once. */
  maxInFlight: number;
  /** Longest allowed delay of the event loop. */
  maxLagMs: number;
}

const sampleMs = 50;
/** Sampling pauses after this long without a request. */
const quietMs = 2_000;

export function startAdmissionControl({ maxInFlight, maxLagMs }: AdmissionOptions): AdmissionControl {
  let inFlight = 0;
  let lagMs = 0;
  let dueMs = 0;
  let askedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const sample = (): void => {
    const now = monotonicMs();
    lagMs = now - dueMs;
    dueMs = now + sampleMs;
    if (inFlight > 0 || now - askedMs < quietMs) return;
    clearInterval(timer);
    timer = undefined;
    lagMs = 0;
  };
  const watch = (): void => {
    askedMs = monotonicMs();
    if (timer !== undefined) return;
    dueMs = askedMs + sampleMs;
    timer = setInterval(sample, sampleMs).unref();
  };
  const refuse = (): never => {
    throw new DomainError("UNAVAILABLE", "too many requests at once");
  };
  return {
    requireCalm() {
      watch();
      if (lagMs > maxLagMs) refuse();
    },
    enter() {
      if (inFlight >= maxInFlight) refuse();
      inFlight += 1;
      watch();
      return () => {
        inFlight -= 1;
      };
    },
    inFlight: () => inFlight,
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
