import { DomainError } from "../services/shared/kernel/errors";

/** Keeps one tenant from taking all places: so many of its requests are worked on at once, and no more. */
export interface TenantGate {
  /** Throws RATE_LIMITED when there is no place; returns what to call when the request is answered. */
  enter(holder: string): () => void;
}

export interface TenantGateOptions {
  /** Most requests of one holder over all replicas. */
  most: number;
  /** Replicas that live: each has an equal part of the places, so that together they never have more. */
  replicas(): number;
}

export function makeTenantGate({ most, replicas }: TenantGateOptions): TenantGate {
  const inFlight = new Map<string, number>();
  return {
    enter(holder) {
      const present = inFlight.get(holder) ?? 0;
      const places = Math.max(1, Math.floor(most / replicas()));
      if (present >= places) {
        const details = { limitInFlight: places, retryAfterSeconds: 1 };
        throw new DomainError("RATE_LIMITED", "too many requests at once", { details });
      }
      inFlight.set(holder, present + 1);
      return () => {
        const left = (inFlight.get(holder) ?? 1) - 1;
        if (left === 0) inFlight.delete(holder);
        else inFlight.set(holder, left);
      };
    },
  };
}
