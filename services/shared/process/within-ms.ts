import { DomainError } from "../kernel/errors";

/** Returns the result of the work. Throws UNAVAILABLE when the work takes longer; a later result is ignored. */
export async function withinMs<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DomainError("UNAVAILABLE", "a dependency does not answer in time")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
