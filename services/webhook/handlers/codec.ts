import type { Subscription as SubscriptionMessage } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { invalid } from "../../shared/errors";
import { signatureVersion } from "../domain/secret";
import type { Subscription } from "../domain/subscription";

export function requireTenant(tenant: string): string {
  if (tenant === "") throw invalid([{ field: "tenant", message: "is required" }]);
  return tenant;
}

export const encodeSubscription = ({ id, url, events, createdAt, secret }: Subscription): SubscriptionMessage => ({
  id,
  url,
  events: [...events],
  isBatch: false,
  createdAt,
  signatureVersion: secret === undefined ? undefined : signatureVersion,
  secretFingerprint: secret?.fingerprint,
  secretRotatedAt: secret?.rotatedAt,
});
