import type {
  GetTrialBalanceRequest,
  GetTrialBalanceResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { formatMinor } from "../domain/asset";
import type { ReadTrialBalance } from "../operations/read-trial-balance";

export const getTrialBalanceHandler =
  (readTrialBalance: ReadTrialBalance) =>
  async ({ asOf }: GetTrialBalanceRequest): Promise<GetTrialBalanceResponse> => {
    const { paths, totals } = await readTrialBalance(asOf);
    return {
      accounts: paths.map(({ path, asset, minor }) => ({ path, asset, amount: formatMinor(minor, asset) })),
      totals: totals.map(({ asset, minor }) => ({ asset, amount: formatMinor(minor, asset) })),
    };
  };
