import type { Money } from "../../shared/kernel/money";
import type { Evidence, Fact } from "./fact";

/** What a person must put right. */
export type CaseKind =
  | "UNEXPECTED_FACT"
  | "AMOUNT_DIFFERS"
  | "CONTRADICTION"
  | "UNKNOWN_REFERENCE"
  | "STEP_UNKNOWN"
  | "REVERSAL_REFUSED"
  | "AUTHORIZATION_EXPIRED"
  | "RECONCILIATION_BREAK"
  | "PARKED_MESSAGE";

/** How a provider's statement and our account of that provider differ. */
export type DifferenceClass = "MISSING_HERE" | "MISSING_THERE" | "AMOUNT" | "CURRENCY" | "DOUBLED" | "GAP" | "SUSPENSE";

/** One difference between a provider's statement and our account of that provider. */
export interface StatementDifference {
  breakId: string;
  class: DifferenceClass;
  provider: string;
  reference: string;
  /** The leg whose money it is, where that is known. */
  leg: Fact["role"] | undefined;
  /** Signed as on our account; undefined for nothing. */
  ours: Money | undefined;
  theirs: Money | undefined;
  lineIds: readonly string[];
  entryIds: readonly string[];
  foundAt: Date;
}

/** One line of a case's story, written in the same write as the payment's change. */
export interface CaseNote {
  caseId: string;
  /** What was noticed; undefined for an action that was taken. */
  kind: CaseKind | undefined;
  text: string;
  evidence: Evidence | undefined;
  /** The leg that the evidence concerns. */
  role: Fact["role"] | undefined;
  /** The key under which another service reported it; undefined for what the payment service noticed itself. */
  key?: string;
  /** What it found in a provider's statement. */
  difference?: StatementDifference | undefined;
  /** True for the line that ends the case. */
  closes: boolean;
}
