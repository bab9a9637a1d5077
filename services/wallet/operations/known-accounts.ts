import { monotonicMs } from "../../shared/kernel/clock";
import type { Account } from "../domain/account";

/** Accounts as this process has last seen them. A write says what it believes of each, and fails where that is no longer so. */
export interface KnownAccounts {
  /** Those of the accounts that are known. */
  of(ids: readonly string[]): Account[];
  /** These are stored now. */
  keep(accounts: readonly Account[]): void;
  /** Somebody else writes these too: for a while nothing is taken from memory. */
  doubt(): void;
}

/** Most accounts that are kept. */
const capacity = 10_000;
/** Behind a lost race the accounts are read for so long, milliseconds. */
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
