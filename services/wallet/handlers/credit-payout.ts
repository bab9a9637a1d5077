import type { CreditPayoutRequest, CreditPayoutResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { invalid } from "../../shared/kernel/errors";
import { money } from "../../shared/kernel/money";
import type { CreditPayout } from "../operations/credit-payout";

export const creditPayoutHandler =
  (creditPayout: CreditPayout) =>
  async (request: CreditPayoutRequest): Promise<CreditPayoutResponse> => {
    const { tenant, walletId, paymentId, amount, description } = request;
    if (amount === undefined || paymentId === "") throw invalid([{ field: "amount", message: "is required" }]);
    const { entry, replayed } = await creditPayout({
      tenant,
      walletId,
      paymentId,
      amount: money(amount.amountMinor, amount.currency),
      description: description === "" ? undefined : description,
    });
    return { transactionId: entry.id, creditedAt: entry.at, replayed };
  };
