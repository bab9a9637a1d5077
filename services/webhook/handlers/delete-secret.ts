import type { DeleteSecretRequest, DeleteSecretResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { DeleteSecret } from "../operations/delete-secret";
import { requireTenant } from "./codec";

export const deleteSecretHandler =
  (deleteSecret: DeleteSecret) =>
  async ({ tenant, subscriptionId }: DeleteSecretRequest): Promise<DeleteSecretResponse> => {
    await deleteSecret(requireTenant(tenant), subscriptionId);
    return {};
  };
