import type { Command } from "./domain/command";
import type { Outcome } from "./domain/decide";
import type { ProviderRecord } from "./domain/reconciliation";

/** The ledger as operations see it. */
export interface Ledger {
  /** Carries a command out once and durably, or refuses it and changes nothing. The same command may be sent again. */
  submit(command: Command): Promise<Outcome>;
}

/** What providers say that they did. */
export interface ProviderBook {
  /** Every record of every provider. Throws UNAVAILABLE when the book cannot be read as a whole. */
  read(): Promise<ProviderRecord[]>;
}
