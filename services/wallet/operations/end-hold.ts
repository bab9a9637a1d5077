import { holdEndId } from "../domain/command";
import type { Ledger } from "../ports";
import type { Answered } from "./submit-request";

export interface EndHoldDeps {
  ledger: Ledger;
}

export interface HoldRef {
  tenant: string;
  transactionId: string;
}

export type EndHold = (hold: HoldRef, end: "COMPLETED" | "VOIDED") => Promise<Answered>;

/** Settles or releases a held transaction, once; the same again gets the first answer. */
export const makeEndHold =
  ({ ledger }: EndHoldDeps): EndHold =>
  async ({ tenant, transactionId }, end) => {
    const id = holdEndId(transactionId);
    const { entry, replayed } = await ledger.submit({ kind: "end", id, tenant, transactionId, end });
    return { answer: entry.answer, replayed };
  };
