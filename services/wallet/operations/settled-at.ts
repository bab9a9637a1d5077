import { plusMs } from "../../shared/kernel/clock";
import type { Account } from "../domain/account";
import type { RowStore } from "../store/row-store";

/**
 * Returns what an account held at the end of an instant, or holds now. All rows of an entry have one time, so each entry counts on all of
 * its accounts or on none.
 */
export async function settledAt(
  rows: Pick<RowStore, "lastBefore">,
  { id, lastAt, lines }: Account,
  asOf: Date | undefined,
): Promise<bigint> {
  if (asOf === undefined || lastAt <= asOf) return lines.settled.minor;
  return (await rows.lastBefore(id, "settled", plusMs(asOf, 1)))?.after ?? 0n;
}
