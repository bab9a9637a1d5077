import type {
  FindConversionsRequest,
  FindConversionsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { invalid } from "../../shared/kernel/errors";
import type { OpenConversionStore } from "../store/open-conversion-store";
import { encodeMoney } from "./money-codec";

const most = 200;

/** Reads straight from the store; no decision is involved. */
export const findConversionsHandler =
  (conversions: Pick<OpenConversionStore, "accepted">) =>
  async ({ paymentIds }: FindConversionsRequest): Promise<FindConversionsResponse> => {
    if (paymentIds.length > most) throw invalid([{ field: "paymentIds", message: `must be at most ${most}` }]);
    const found = await conversions.accepted(paymentIds);
    return {
      conversions: found.map(({ amount, payoutAmount, entries, ...conversion }) => ({
        ...conversion,
        amount: encodeMoney(amount),
        payoutAmount: encodeMoney(payoutAmount),
        moves: entries.map(({ entryId, isReturn }) => ({ entryId, isReturn })),
      })),
    };
  };
