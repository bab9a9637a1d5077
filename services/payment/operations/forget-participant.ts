import type { Clock } from "../../shared/kernel/clock";
import type { Transact } from "../../shared/storage/mongo";
import type { PayoutAccount } from "../domain/payout-account";
import type { AccountTokenStore } from "../store/account-token-store";
import type { PayoutAccountStore } from "../store/payout-account-store";

export interface ForgetParticipantDeps {
  transact: Transact;
  accounts: Pick<PayoutAccountStore, "erase">;
  checks: Pick<AccountTokenStore, "forget">;
  clock: Clock;
}

export type ForgetParticipant = (participant: Pick<PayoutAccount, "tenant" | "participantId">) => Promise<void>;

/**
 * Destroys what is kept of a participant who was erased: the accounts that agents keep for it, with their key, and what the checks of its
 * bank accounts have left. Payments keep their own records: a payment that has not collected yet no longer finds its account and is
 * declined, one that has collected is finished under its own reference. Repeating it changes nothing.
 */
export const makeForgetParticipant =
  ({ transact, accounts, checks, clock }: ForgetParticipantDeps): ForgetParticipant =>
  (participant) =>
    transact(async (tx) => {
      for (const token of await accounts.erase(participant, tx)) {
        await checks.forget(participant.tenant, token, clock.now(), tx);
      }
    });
