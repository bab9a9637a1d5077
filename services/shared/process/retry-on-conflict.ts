import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "../kernel/errors";

/** The outcome of an attempt that found the record changed since it was read. */
export const conflict = Symbol("conflict");

/** An attempt fails only because another writer's succeeded, so as many writers at once as there are attempts all come through. */
const maxAttempts = 32;
const firstPauseMs = 2;
const longestPauseMs = 50;

/**
 * Repeats a read, a decision and a conditional write while other writers are faster, each time from what they left, after pauses of
 * random length, so that the writers drift apart. Throws UNAVAILABLE when they were faster 32 times.
 */
export async function retryOnConflict<T>(subject: string, attempt: () => Promise<T | typeof conflict>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt();
    if (outcome !== conflict) return outcome;
    if (attempts === maxAttempts) throw new DomainError("UNAVAILABLE", `the ${subject} is being changed by others`);
    await sleep(Math.random() * Math.min(firstPauseMs * 2 ** attempts, longestPauseMs));
  }
}
