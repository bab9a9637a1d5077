import { voidTransferOf } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { Answered } from "./submit-request";

export interface VoidTransferDeps {
  ledger: Ledger;
}

export type VoidTransfer = (tenant: string, externalTransferId: string) => Promise<Answered>;

/** Gives the full amount of a transfer back, once; the same again gets the first answer. */
export const makeVoidTransfer =
  ({ ledger }: VoidTransferDeps): VoidTransfer =>
  async (tenant, externalTransferId) => {
    const { entry, replayed } = await ledger.submit(voidTransferOf(tenant, externalTransferId));
    return { answer: entry.answer, replayed };
  };
