import { hash } from "node:crypto";
import type { PaymentIntent } from "../../../proto/gen/corridor/payment/v1/payment_intent";
import type { PaymentRequest } from "../operations/check-intent";
import { decodeIntent } from "./intent-codec";

/** What a caller has sent, to be accepted or only checked. */
interface Sent {
  tenant: string;
  agentId?: string | undefined;
  intent?: PaymentIntent | undefined;
}

/** Reads a payment with the identity of its caller. */
export function decodeRequest({ tenant, agentId, intent: message }: Sent): PaymentRequest {
  const { intent, violations, fields } = decodeIntent(message, agentId);
  const rows = Object.entries(fields).map(([name, text]) => [name, hash("sha256", text, "base64url")] as const);
  return {
    identity: { tenant, externalId: intent.externalId, agentId, hashes: Object.fromEntries(rows) },
    intent,
    violations,
  };
}
