import type { Clock } from "../../shared/kernel/clock";
import { hasReason } from "../../shared/kernel/errors";
import { holdEndId } from "../domain/command";
import type { Ledger } from "../ports";
import type { HoldExpiryStore } from "../store/hold-expiry-store";

export interface ExpireHoldsDeps {
  ledger: Ledger;
  expiries: Pick<HoldExpiryStore, "due" | "nextDue">;
  clock: Clock;
}

/** Returns when the next hold expires; a past time when more are due already. */
export type ExpireHolds = () => Promise<Date | undefined>;

const pageSize = 64;

/** Ends the holds that have expired. One that was confirmed or voided meanwhile stays as it is. */
export const makeExpireHolds =
  ({ ledger, expiries, clock }: ExpireHoldsDeps): ExpireHolds =>
  async () => {
    const due = await expiries.due(clock.now(), pageSize);
    await Promise.all(
      due.map(async ({ tenant, transactionId }) => {
        const id = holdEndId(transactionId);
        try {
          await ledger.submit({ kind: "end", id, tenant, transactionId, end: "EXPIRED", answerForm: undefined });
        } catch (error) {
          if (!hasReason(error, "TRANSACTION_NOT_HELD")) throw error;
        }
      }),
    );
    return expiries.nextDue();
  };
