import { plusMs } from "../../shared/kernel/clock";

/** A person or company that was erased here, and the vendors' acknowledgements. */
export interface Erasure {
  participantId: string;
  tenant: string;
  erasedAt: Date;
  /** Time at which the vendors are asked next; undefined when no further request is due. */
  dueAt: Date | undefined;
  /** Number of unsuccessful requests. */
  tries: number;
  /** Time since which an acknowledgement is outstanding; undefined when none is. */
  outstandingSince: Date | undefined;
}

const waitsMs = [1_000, 10_000, 60_000, 600_000, 3_600_000] as const;
/** Longer than any request takes: data that was in flight at the erasure has arrived by then, and is erased too. */
const stragglersMs = 10 * 60_000;

export const beginErasure = (tenant: string, participantId: string, at: Date): Erasure => ({
  participantId,
  tenant,
  erasedAt: at,
  dueAt: at,
  tries: 0,
  outstandingSince: at,
});

/** Returns an erasure after all vendors were asked. It ends with an acknowledgement that comes after the last request in flight. */
export function asked(erasure: Erasure, isAcknowledged: boolean, at: Date): Erasure {
  if (!isAcknowledged) {
    const { tries, outstandingSince = at } = erasure;
    const waitMs = waitsMs[Math.min(tries, waitsMs.length - 1)] ?? 3_600_000;
    return { ...erasure, tries: tries + 1, dueAt: plusMs(at, waitMs), outstandingSince };
  }
  const end = plusMs(erasure.erasedAt, stragglersMs);
  return { ...erasure, dueAt: at < end ? end : undefined, outstandingSince: undefined };
}
