import type {
  GetTrialBalanceRequest,
  GetTrialBalanceResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { ReadTrialBalance } from "../operations/read-trial-balance";
import { encodeAmount } from "./wallet-codec";

export const getTrialBalanceHandler =
  (readTrialBalance: ReadTrialBalance) =>
  async ({ asOf }: GetTrialBalanceRequest): Promise<GetTrialBalanceResponse> => {
    const { paths, totals } = await readTrialBalance(asOf);
    return {
      accounts: paths.map(({ path, asset, minor }) => ({ path, balance: encodeAmount({ minor, asset }) })),
      totals: totals.map(encodeAmount),
    };
  };
