import { DomainError } from "../../shared/kernel/errors";
import type { StatementSource } from "../ports";
import type { Break, StatementStore } from "../store/statement-store";
import type { ReadStatements } from "./read-statements";

export interface ReconcileProvidersDeps {
  sources: readonly StatementSource[];
  readStatements: ReadStatements;
  statements: Pick<StatementStore, "source" | "openItems" | "countUnresolved" | "breaks">;
}

/** The comparison of the providers' statements with the ledger. */
export interface Reconciliation {
  statements: { provider: string; lastLine: number; openItems: number; readAt: Date | undefined }[];
  /** Number of unresolved breaks by class, for classes that occur. */
  classes: ReadonlyMap<string, number>;
  /** The first of them. */
  breaks: readonly Break[];
}

/** Reads what is new in every statement now, and returns the comparison. Waits for a run that is under way. */
export type ReconcileProviders = () => Promise<Reconciliation>;

const mostBreaks = 200;

export const makeReconcileProviders =
  ({ sources, readStatements, statements }: ReconcileProvidersDeps): ReconcileProviders =>
  async () => {
    if (sources.length === 0) throw new DomainError("UNAVAILABLE", "no provider's statement is configured");
    const failed = await readStatements("now");
    if (failed === "busy") throw new DomainError("UNAVAILABLE", "the statements are being read by another replica");
    const [first] = failed;
    if (first !== undefined) {
      const names = failed.map(({ provider }) => provider).join(", ");
      throw new DomainError("UNAVAILABLE", `statements cannot be read: ${names}`, { cause: first.error });
    }
    const open = await statements.openItems();
    const states = await Promise.all(sources.map(({ provider }) => statements.source(provider)));
    return {
      statements: states.map(({ provider, last, readAt }) => {
        return { provider, lastLine: last, openItems: open.get(provider) ?? 0, readAt };
      }),
      classes: await statements.countUnresolved(),
      breaks: await statements.breaks("unresolved", "", mostBreaks),
    };
  };
