import type { Environment } from "../environment";
import { openRecordStore } from "../record-store";

/** References whose data the vendor has erased; they are never used again. `note` belongs inside `Database.write`. */
export interface Erasures {
  has(reference: string): boolean;
  /** Returns the time of erasure: now, or the first time. */
  note(reference: string): { reference: string; erasedAt: string };
}

/** Opens the erasures of one kind of record. */
export function openErasures({ database, clock }: Pick<Environment, "database" | "clock">, name: string): Erasures {
  const records = openRecordStore<{ reference: string; erasedAt: string }>(database, name);
  return {
    has: (reference) => records.find(reference) !== undefined,
    note(reference) {
      const erasure = records.find(reference) ?? { reference, erasedAt: clock.now().toISOString() };
      records.save(reference, erasure);
      return erasure;
    },
  };
}
