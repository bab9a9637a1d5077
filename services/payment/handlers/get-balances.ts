import type { GetBalancesResponse } from "../../../proto/gen/corridor/payment/v1/check_service";
import type { GetBalances } from "../operations/get-balances";

export const getBalancesHandler = (getBalances: GetBalances) => async (): Promise<GetBalancesResponse> => {
  const providers = await getBalances();
  return { providers: providers.map(({ providerId, balances }) => ({ providerId, balances: [...balances] })) };
};
