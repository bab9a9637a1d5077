import { openShelf } from "../shelf";
import type { World } from "../world";

/** References of which the vendor has erased everything; they are never used again. Noting belongs inside `Database.write`. */
export interface Erasures {
  has(reference: string): boolean;
  /** When it was erased: now, or the first time. */
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
