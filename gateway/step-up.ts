import { plusMs } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";

/** How long a proof at the identity provider is good for what asks for a fresh one, in seconds. */
export const freshSeconds = 300;

/**
 * Why somebody who proved himself at `provenAt` has to do it again for a call that asks for a fresh proof; undefined when he has
 * not. A login asks the provider for one that is no older.
 */
export function staleProof(provenAt: Date | undefined, now: Date): DomainError | undefined {
  if (provenAt !== undefined && plusMs(provenAt, freshSeconds * 1_000) >= now) return undefined;
  const message = "this call needs a login of the last five minutes";
  return new DomainError("SECOND_FACTOR_MISSING", message, { details: { maxAgeSeconds: freshSeconds } });
}
