import { plusMs } from "../../shared/kernel/clock";

/** A person or company that was erased here, and what the vendors have said to it. */
export interface Erasure {
  participantId: string;
  tenant: string;
  erasedAt: Date;
  /** When the vendors are asked next; undefined when that is over. */
  dueAt: Date | undefined;
  /** How often they were asked in vain. */
  tries: number;
  /** Since when a vendor owes its acknowledgement; undefined when none does. */
  outstandingSince: Date | undefined;
}

const waitsMs = [1_000, 10_000, 60_000, 600_000, 3_600_000] as const;
/** Longer than any request takes: what was under way when the erasure came is there by then, and is erased too. */
const stragglersMs = 10 * 60_000;

export const beginErasure = (tenant: string, participantId: string, at: Date): Erasure => ({
  participantId,
  tenant,
  erasedAt: at,
  dueAt: at,
  tries: 0,
  outstandingSince: at,
});

/** What becomes of an erasure when all vendors were asked. It ends with an acknowledgement after the last straggler. */
export function asked(erasure: Erasure, isAcknowledged: boolean, at: Date): Erasure {
  if (!isAcknowledged) {
    const { tries, outstandingSince = at } = erasure;
    const waitMs = waitsMs[Math.min(tries, waitsMs.length - 1)] ?? 3_600_000;
    return { ...erasure, tries: tries + 1, dueAt: plusMs(at, waitMs), outstandingSince };
  }
  const end = plusMs(erasure.erasedAt, stragglersMs);
  return { ...erasure, dueAt: at < end ? end : undefined, outstandingSince: undefined };
}
