import type { Posting } from "../domain/command";
import type { Ledger } from "../ports";

export interface PostMoneyDeps {
  ledger: Ledger;
}

/** Money that a payment has moved, as one event told. */
export interface MoneyMoved {
  eventId: string;
  tenant: string;
  paymentId: string;
  /** What moved it, for example payout or fee. */
  kind: string;
  postings: readonly Posting[];
}

export type PostMoney = (moved: readonly MoneyMoved[]) => Promise<void>;

/**
 * Posts to platform accounts what payments have moved, each event once: the event's id is the entry's. Sums do not depend
 * on order, so a message that came early or again needs no memory beside the journal.
 */
export const makePostMoney =
  ({ ledger }: PostMoneyDeps): PostMoney =>
  async (moved) => {
    await Promise.all(
      moved.map(({ eventId, tenant, paymentId, kind, postings }) => {
        const hashes = { postings: postings.map(({ path, asset, minor }) => `${path} ${asset} ${minor}`).join("; ") };
        const facts = { externalId: paymentId, paymentId, description: kind, postings };
        return ledger.submit({ kind: "posting", id: eventId, tenant, hashes, ...facts });
      }),
    );
  };
