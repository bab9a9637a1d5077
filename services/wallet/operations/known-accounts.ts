import { monotonicMs } from "../../shared/kernel/clock";
import type { Account } from "../domain/account";

/** Accounts as this process last saw them. A write states the version it expects of each and fails on a mismatch. */
export interface KnownAccounts {
  /** Returns the known ones of these accounts. */
  of(ids: readonly string[]): Account[];
  /** Remembers accounts as they are now stored. */
  keep(accounts: readonly Account[]): void;
  /** Forgets everything for a while, because another process writes the same accounts. */
  doubt(): void;
}

/** Most accounts that are remembered. */
const capacity = 10_000;
/** How long accounts are read from the store after a conflict, milliseconds. */
const doubtMs = 1_000;

export function makeKnownAccounts(nowMs: () => number = monotonicMs): KnownAccounts {
  const known = new Map<string, Account>();
  let doubtedUntilMs = 0;
  return {
    of(ids) {
      if (nowMs() < doubtedUntilMs) return [];
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    keep(accounts) {
      for (const account of accounts) {
        known.delete(account.id);
        known.set(account.id, account);
      }
      for (const id of known.keys()) {
        if (known.size <= capacity) break;
        known.delete(id);
      }
    },
    doubt() {
      known.clear();
      doubtedUntilMs = nowMs() + doubtMs;
    },
  };
}
