import type { CheckCardRequest, CheckCardResponse } from "../../../proto/gen/corridor/payment/v1/check_service";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { CheckCard } from "../operations/check-card";

export const checkCardHandler =
  (checkCard: CheckCard) =>
  async ({ tenant, bodyJson }: CheckCardRequest): Promise<CheckCardResponse> => {
    const answer = await checkCard(tenant, parseJsonObject(decodeUtf8(bodyJson)).value);
    return { bodyJson: Buffer.from(answer) };
  };
