import { type Clock, plusMs } from "../../shared/kernel/clock";
import { type AuditKeys, emptyChain, sealBegin, walkChain } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface ForgetAuditDeps {
  audit: Pick<AuditStore, "begin" | "page" | "forget">;
  keys: AuditKeys;
  clock: Clock;
  /** Retention of records, in milliseconds. */
  keepMs: number;
}

/** Removes the oldest records once their retention has ended. Returns how many there were. */
export type ForgetAudit = () => Promise<number>;

const pageSize = 500;

/**
 * Removes no further than the chain is whole, so that tampering does not vanish with its traces. A crash before the removal
 * leaves records that the next run removes.
 */
export const makeForgetAudit =
  ({ audit, keys, clock, keepMs }: ForgetAuditDeps): ForgetAudit =>
  async () => {
    const from = plusMs(clock.now(), -keepMs);
    const begin = (await audit.begin()) ?? emptyChain;
    const walk = walkChain(keys, begin);
    for (;;) {
      const page = await audit.page(walk.head().sequence, pageSize);
      const firstKept = page.findIndex(({ at }) => at >= from);
      const old = firstKept < 0 ? page : page.slice(0, firstKept);
      for (const record of old) walk.step(record);
      if (old.length < pageSize || walk.brokenAt() !== undefined) break;
    }
    const last = walk.head();
    if (last.sequence > 0) await audit.forget({ ...last, seal: sealBegin(keys, last) });
    return last.sequence - begin.sequence;
  };
