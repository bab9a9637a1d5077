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
  /** True for the line that ends the case. */
  closes: boolean;
}
