import type {
  ChangeWalletStatusRequest,
  ChangeWalletStatusResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/kernel/errors";
import { walletStatuses } from "../domain/account";
import type { ChangeWalletStatus } from "../operations/change-wallet-status";
import { type ShowWallet, statusCodec } from "./wallet-codec";

export const changeWalletStatusHandler =
  (changeStatus: ChangeWalletStatus, show: ShowWallet) =>
  async ({ tenant, walletId, status }: ChangeWalletStatusRequest): Promise<ChangeWalletStatusResponse> => {
    const known = statusCodec.decode(status);
    if (known === undefined) {
      throw invalid([{ field: "status", message: `must be one of ${walletStatuses.join(", ")}` }]);
    }
    return { wallet: await show(await changeStatus({ tenant, walletId, status: known })) };
  };
