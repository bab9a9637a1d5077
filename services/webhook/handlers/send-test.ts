import type { SendTestRequest, SendTestResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { SendTest } from "../operations/send-test";
import { encodeDelivery, requireTenant } from "./codec";

export const sendTestHandler =
  (sendTest: SendTest) =>
  async ({ tenant, subscriptionId }: SendTestRequest): Promise<SendTestResponse> => ({
    delivery: encodeDelivery(await sendTest(requireTenant(tenant), subscriptionId)),
  });
