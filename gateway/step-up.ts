import { plusMs } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";

/** Greatest age, in seconds, at which a proof at the identity provider counts as fresh. */
export const freshSeconds = 300;

/**
 * Returns why a person with a proof from `provenAt` needs a new one for a call that requires a fresh proof; undefined if the proof
 * suffices. A login asks the provider for a proof that is no older.
 */
export function staleProof(provenAt: Date | undefined, now: Date): DomainError | undefined {
  if (provenAt !== undefined && plusMs(provenAt, freshSeconds * 1_000) >= now) return undefined;
  const message = "this call needs a login of the last five minutes";
  return new DomainError("SECOND_FACTOR_MISSING", message, { details: { maxAgeSeconds: freshSeconds } });
}
