import type { WalletServiceService } from "../../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { Bookings } from "../../ports";

/** The most entries that the wallet service looks for at once. */
const most = 1_000;

/** Asks the wallet service for entries of the ledger. */
export const makeBookings = (wallet: Pick<Rpc<typeof WalletServiceService>, "findPostings">): Bookings => ({
  async posted(entryIds, asOf) {
    const posted = new Set<string>();
    for (let from = 0; from < entryIds.length; from += most) {
      const found = await wallet.findPostings({ entryIds: entryIds.slice(from, from + most), asOf });
      for (const entryId of found.entryIds) posted.add(entryId);
    }
    return posted;
  },
});
