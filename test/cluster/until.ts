import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer is true. The time limit of the test is the only one. */
export async function untilTrue(ask: () => Promise<boolean | undefined>): Promise<void> {
  while (!(await ask())) await sleep(200);
}
