import type { Command } from "./domain/command";
import type { Outcome } from "./domain/decide";
import type { StatementLine } from "./domain/statement";
import type { Break } from "./store/statement-store";

/** The ledger as operations see it. */
export interface Ledger {
  /** Carries a command out once and durably, or refuses it and changes nothing. The same command may be sent again. */
  submit(command: Command): Promise<Outcome>;
}

/** A page of a provider's statement. */
export interface StatementPage {
  lines: readonly StatementLine[];
  /** Where to go on when the page is kept; undefined: where it began. */
  cursor: string | undefined;
}

/** The statement of one provider. */
export interface StatementSource {
  provider: string;
  /** Pages from a place on. Throws UNAVAILABLE when what comes is no statement. */
  read(cursor: string | undefined): AsyncIterable<StatementPage>;
}

/** Where people learn what they must put right. */
export interface CaseBook {
  /** Opens a case for a break, once; returns its id. */
  open(found: Break): Promise<string>;
}
