import type { Outcome } from "../domain/decide";
import { requireForm, voidTransferOf } from "../domain/wallet-request";
import type { Ledger } from "../ports";

export interface VoidTransferDeps {
  ledger: Ledger;
}

export interface TransferRef {
  tenant: string;
  externalId: string;
  /** Form in which the caller renders the receipt. */
  answerForm: number;
}

export type VoidTransfer = (transfer: TransferRef) => Promise<Outcome>;

/** Returns the full amount of a transfer, once; a repeat gets the first outcome. */
export const makeVoidTransfer =
  ({ ledger }: VoidTransferDeps): VoidTransfer =>
  async ({ tenant, externalId, answerForm }) =>
    ledger.submit(voidTransferOf(tenant, externalId, requireForm(answerForm)));
