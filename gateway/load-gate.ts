import { monotonicMs } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";
import type { Running } from "../services/shared/process/lifecycle";

/** Turns requests away, so that those that are let in are answered in time. */
export interface LoadGate extends Running {
  /** Throws UNAVAILABLE while this process is behind, before any work is done for a request. */
  requireCalm(): void;
  /**
   * Takes a place for a request that has come in whole and whose caller is known. Throws UNAVAILABLE when there is none;
   * returns what to call when the request is answered.
   */
  enter(): () => void;
  /** Requests that are worked on. */
  inFlight(): number;
}

export interface LoadGateOptions {
  /** Most requests that are worked on at once. */
  maxInFlight: number;
  /** Longest time that the event loop may be behind. */
  maxLagMs: number;
}

const sampleMs = 50;
/** Nobody asks how far the loop is behind while no request comes. */
const quietMs = 2_000;

export function startLoadGate({ maxInFlight, maxLagMs }: LoadGateOptions): LoadGate {
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
