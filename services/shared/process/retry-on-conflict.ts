import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "../kernel/errors";

/** The outcome of an attempt that found the record changed since it was read. */
export const conflict = Symbol("conflict");

/** The most attempts. An attempt fails only because another writer succeeded, so this many concurrent writers all succeed. */
const maxAttempts = 32;
const firstPauseMs = 2;
const longestPauseMs = 50;

/**
 * Repeats a read, a decision and a conditional write while other writers are faster, each time from the newly stored state. The pauses
 * have random lengths, so that the writers drift apart. Throws UNAVAILABLE after 32 attempts.
 */
export async function retryOnConflict<T>(subject: string, attempt: () => Promise<T | typeof conflict>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt();
    if (outcome !== conflict) return outcome;
    if (attempts === maxAttempts)
      throw new DomainError("UNAVAILABLE", `other requests are changing the ${subject}; try again`);
    await sleep(Math.random() * Math.min(firstPauseMs * 2 ** attempts, longestPauseMs));
  }
}
