import { holdEndId } from "../domain/command";
import type { Outcome } from "../domain/decide";
import { requireForm } from "../domain/wallet-request";
import type { Ledger } from "../ports";

export interface EndHoldDeps {
  ledger: Ledger;
}

export interface HoldRef {
  tenant: string;
  transactionId: string;
  /** Form in which the caller renders the receipt. */
  answerForm: number;
}

export type EndHold = (hold: HoldRef, end: "COMPLETED" | "VOIDED") => Promise<Outcome>;

/** Settles or releases a held transaction, once; a repeat gets the first outcome. */
export const makeEndHold =
  ({ ledger }: EndHoldDeps): EndHold =>
  async ({ tenant, transactionId, answerForm }, end) => {
    const id = holdEndId(transactionId);
    return ledger.submit({ kind: "end", id, tenant, transactionId, end, answerForm: requireForm(answerForm) });
  };
