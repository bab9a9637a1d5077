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
  /** Where to begin to read it again, with what the provider has left out before it. */
  place: string | undefined;
  /** Where to continue once the page is stored; undefined: where it began. */
  cursor: string | undefined;
}

/** The statement of one provider. */
export interface StatementSource {
  provider: string;
  /** Reads pages from a cursor on. Throws UNAVAILABLE when the statement cannot be read. */
  read(cursor: string | undefined): AsyncIterable<StatementPage>;
}

/** Where operators find the cases they must resolve. */
export interface CaseBook {
  /** Opens a case for a break, once; returns its id. */
  open(found: Break): Promise<string>;
}
