import type { WalletServiceService } from "../../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { PromiseLedger } from "../../ports";

type WalletClient = Pick<
  Rpc<typeof WalletServiceService>,
  "takePromiseBlock" | "returnPromiseBlock" | "listPromiseBlocks" | "getPromises"
>;

/** Uses the wallet service as the ledger of promises. */
export const makePromiseLedger = (wallet: WalletClient): PromiseLedger => ({
  async stand(account, currency) {
    const { promisedMinor, releasedMinor, availableMinor } = await wallet.getPromises({ account, currency });
    return { promised: promisedMinor, released: releasedMinor, available: availableMinor };
  },
  async take({ blockId, holder, account, currency, wanted, least, figure }) {
    const { grantedMinor, availableMinor, unreturnedBlockIds } = await wallet.takePromiseBlock({
      blockId,
      holder,
      account,
      currency,
      wantedMinor: wanted,
      leastMinor: least,
      figure: figure && { availableMinor: figure.available, releasedMinor: figure.released },
    });
    return { granted: grantedMinor, available: availableMinor, unreturned: unreturnedBlockIds };
  },
  async returnUnused(blockId, unused) {
    await wallet.returnPromiseBlock({ blockId, unusedMinor: unused });
  },
  async unreturned(holder) {
    const { blocks } = await wallet.listPromiseBlocks({ holder });
    return blocks
      .filter(({ returnedMinor }) => returnedMinor === undefined)
      .map(({ blockId, grantedMinor }) => ({ blockId, granted: grantedMinor }));
  },
});
