import type {
  ChangeWalletStatusRequest,
  ChangeWalletStatusResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/errors";
import { walletStatuses } from "../domain/account";
import type { ChangeWalletStatus } from "../operations/change-wallet-status";
import { encodeWallet } from "./codec";

export const changeWalletStatusHandler =
  (changeStatus: ChangeWalletStatus) =>
  async ({ tenant, walletId, status }: ChangeWalletStatusRequest): Promise<ChangeWalletStatusResponse> => {
    const known = walletStatuses.find((candidate) => candidate === status);
    if (known === undefined) {
      throw invalid([{ field: "status", message: `must be one of ${walletStatuses.join(", ")}` }]);
    }
    return { wallet: encodeWallet(await changeStatus({ tenant, walletId, status: known })) };
  };
