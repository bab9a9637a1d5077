import type { RotateSecretRequest, RotateSecretResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { signatureVersion } from "../domain/secret";
import type { RotateSecret } from "../operations/rotate-secret";
import { requireTenant } from "./codec";

export const rotateSecretHandler =
  (rotateSecret: RotateSecret) =>
  async ({ tenant, subscriptionId }: RotateSecretRequest): Promise<RotateSecretResponse> => {
    const { secret, stored } = await rotateSecret(requireTenant(tenant), subscriptionId);
    return {
      signingSecret: secret,
      secretFingerprint: stored.fingerprint,
      signatureVersion,
      secretRotatedAt: stored.rotatedAt,
    };
  };
