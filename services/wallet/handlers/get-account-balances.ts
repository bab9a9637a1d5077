import type {
  GetAccountBalancesRequest,
  GetAccountBalancesResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/kernel/errors";
import { isPlatformPath } from "../domain/account";
import type { ReadAccountBalances } from "../operations/read-account-balances";
import { encodeAmount } from "./wallet-codec";

export const getAccountBalancesHandler =
  (readAccountBalances: ReadAccountBalances) =>
  async ({ path, asOf }: GetAccountBalancesRequest): Promise<GetAccountBalancesResponse> => {
    if (!isPlatformPath(path)) throw invalid([{ field: "path", message: "must be an account of the platform" }]);
    return { balances: (await readAccountBalances(path, asOf)).map(encodeAmount) };
  };
