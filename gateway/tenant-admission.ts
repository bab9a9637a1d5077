import { DomainError } from "../services/shared/kernel/errors";

/** Limits the requests of one tenant in flight, so that no tenant can take all places. */
export interface TenantAdmission {
  /** Throws RATE_LIMITED when there is no place. Returns a function to call when the request is answered. */
  enter(holder: string): () => void;
}

export interface TenantAdmissionOptions {
  /** Most requests of one holder over all replicas. */
  most: number;
  /** Number of live replicas: each has an equal part of the places, so that together they never exceed the limit. */
  replicas(): number;
}

export function makeTenantAdmission({ most, replicas }: TenantAdmissionOptions): TenantAdmission {
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
