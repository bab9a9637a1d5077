import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import type { Break, StatementStore } from "../store/statement-store";

export interface ResolveBreakDeps {
  transact: Transact;
  statements: Pick<StatementStore, "findBreak" | "resolve">;
  clock: Clock;
}

/** Ends a break by an operator's decision; a resolved break stays as it was. */
export type ResolveBreak = (id: string, resolution: string) => Promise<Break>;

export const makeResolveBreak =
  ({ transact, statements, clock }: ResolveBreakDeps): ResolveBreak =>
  async (id, resolution) => {
    await transact((tx) => statements.resolve(tx, id, resolution, clock.now()));
    const found = await statements.findBreak(id);
    if (found === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such break");
    return found;
  };
