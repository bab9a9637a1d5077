import type {
  SumOpenConversionsRequest,
  SumOpenConversionsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import type { OpenConversionStore } from "../store/open-conversion-store";
import { encodeMoney } from "./money-codec";

/** Reads straight from the store; no decision is involved. */
export const sumOpenConversionsHandler =
  (conversions: Pick<OpenConversionStore, "open" | "stored">) =>
  async ({ paymentIds }: SumOpenConversionsRequest): Promise<SumOpenConversionsResponse> => {
    // First, so that every payment that is stored is also counted.
    const storedPaymentIds = await conversions.stored(paymentIds);
    const { sums, entries } = await conversions.open();
    return {
      sums: Array.from(sums, ([currency, minor]) => encodeMoney({ minor, currency })),
      entries: entries.map(({ entryId, moves }) => ({ entryId, moves: moves.map(encodeMoney) })),
      storedPaymentIds,
    };
  };
