import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "../kernel/errors";

/** The outcome of a try that found something changed since it was read. */
export const beaten = Symbol("beaten");

/** A try fails only because a rival's succeeded, so as many writers at once as there are tries all come through. */
const maxTries = 32;
const firstRestMs = 2;
const longestRestMs = 50;

/**
 * Does a read, a decision and a conditional write again while rivals are faster, each time from what they left, after rests of
 * random length, so that rivals part. Throws UNAVAILABLE when they were faster 32 times.
 */
export async function amongRivals<T>(subject: string, attempt: () => Promise<T | typeof beaten>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome !== beaten) return outcome;
    if (tries === maxTries) throw new DomainError("UNAVAILABLE", `the ${subject} is being changed by others`);
    await sleep(Math.random() * Math.min(firstRestMs * 2 ** tries, longestRestMs));
  }
}
