import type { Command } from "./domain/command";
import type { Outcome } from "./domain/decide";

/** The ledger as operations see it. */
export interface Ledger {
  /** Carries a command out once and durably, or refuses it and changes nothing. The same command may be sent again. */
  submit(command: Command): Promise<Outcome>;
}
