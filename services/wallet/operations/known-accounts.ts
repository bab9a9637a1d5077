import { monotonicMs } from "../../shared/kernel/clock";
import type { Account } from "../domain/account";

/** Accounts as this process last saw them. A write states the version it expects of each and fails on a mismatch. */
export interface KnownAccounts {
  /** Returns the known ones of these accounts. */
  of(ids: readonly string[]): Account[];
  /** Returns an account if this process has written it just now. Another process may have changed it since. */
  recent(id: string): Account | undefined;
  /** Remembers accounts as they are now stored. */
  keep(accounts: readonly Account[]): void;
  /** Forgets everything for a while, because another process writes the same accounts. */
  doubt(): void;
}

/** Most accounts that are remembered. */
const capacity = 10_000;
/** How long accounts are read from the store after a conflict, milliseconds. */
const doubtMs = 1_000;
/** How long an account is recent, milliseconds. */
const recentMs = 900;

export function makeKnownAccounts(nowMs: () => number = monotonicMs): KnownAccounts {
  const known = new Map<string, { account: Account; atMs: number }>();
  let doubtedUntilMs = 0;
  return {
    of(ids) {
      if (nowMs() < doubtedUntilMs) return [];
      return ids.flatMap((id) => known.get(id)?.account ?? []);
    },
    recent(id) {
      if (nowMs() < doubtedUntilMs) return undefined;
      const found = known.get(id);
      return found !== undefined && nowMs() - found.atMs < recentMs ? found.account : undefined;
    },
    keep(accounts) {
      const atMs = nowMs();
      for (const account of accounts) {
        known.delete(account.id);
        known.set(account.id, { account, atMs });
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
