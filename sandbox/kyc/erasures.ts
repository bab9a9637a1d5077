import { openShelf } from "../shelf";
import type { World } from "../world";

/** References whose data the vendor has erased; they are never used again. `note` belongs inside `Database.write`. */
export interface Erasures {
  has(reference: string): boolean;
  /** Returns the time of erasure: now, or the first time. */
  note(reference: string): { reference: string; erasedAt: string };
}

/** Opens the erasures of one kind of record. */
export function openErasures({ database, clock }: Pick<World, "database" | "clock">, name: string): Erasures {
  const shelf = openShelf<{ reference: string; erasedAt: string }>(database, name);
  return {
    has: (reference) => shelf.find(reference) !== undefined,
    note(reference) {
      const erasure = shelf.find(reference) ?? { reference, erasedAt: clock.now().toISOString() };
      shelf.save(reference, erasure);
      return erasure;
    },
  };
}
