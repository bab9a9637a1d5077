import type { Anchor } from "./domain/anchor";
import type { Command } from "./domain/command";
import type { Outcome } from "./domain/decide";
import type { ProviderRecord } from "./domain/reconciliation";

/** The ledger as operations see it. */
export interface Ledger {
  /** Carries a command out once and durably, or refuses it and changes nothing. The same command may be sent again. */
  submit(command: Command): Promise<Outcome>;
}

/** A place outside of the store that keeps anchors of checkpoints. */
export interface Anchors {
  add(anchor: Anchor): Promise<void>;
  /** The newest anchors that are there, in any order; at least the last one. */
  latest(): Promise<readonly Anchor[]>;
}

/** What providers say that they did. */
export interface ProviderBook {
  /** Every record of every provider. Throws UNAVAILABLE when the book cannot be read as a whole. */
  read(): Promise<ProviderRecord[]>;
}
