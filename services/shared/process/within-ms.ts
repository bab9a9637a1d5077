import { DomainError } from "../kernel/errors";

/** What the work comes to. Throws UNAVAILABLE when that takes longer; what it still comes to then is of no more use. */
export async function withinMs<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DomainError("UNAVAILABLE", "a dependency does not answer in time")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
