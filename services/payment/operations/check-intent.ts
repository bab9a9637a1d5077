import type { FieldViolation } from "../../shared/kernel/errors";
import { intentViolations } from "../domain/intent-rules";
import type { PaymentIdentity } from "../domain/payment-command";
import type { PaymentIntent } from "../domain/payment-intent";
import type { DetailsRules } from "../ports";

/** A payment as a caller has asked for it. */
export interface PaymentRequest {
  identity: PaymentIdentity;
  intent: PaymentIntent;
  /** What is wrong with the message that asked for it. */
  violations: readonly FieldViolation[];
}

/**
 * Returns everything that is wrong with the fields of a payment: in its message, by the rules that hold for every caller, and by the
 * published schemas. The acceptance of a payment and its preflight ask this alike. Throws UNAVAILABLE when the schemas cannot be had.
 */
export async function checkIntent(
  rules: Pick<DetailsRules, "check">,
  { identity, intent, violations }: PaymentRequest,
): Promise<readonly FieldViolation[]> {
  return unique([...violations, ...intentViolations(intent, identity.agentId), ...(await rules.check(intent))]);
}

/** The first violation of each field, and none of a part of what is missing. */
function unique(violations: readonly FieldViolation[]): readonly FieldViolation[] {
  const byField = new Map<string, FieldViolation>();
  for (const violation of violations) if (!byField.has(violation.field)) byField.set(violation.field, violation);
  const missing = [...byField.values()]
    .filter(({ message }) => message === "is required")
    .map(({ field }) => `${field}.`);
  return [...byField.values()].filter(({ field }) => !missing.some((whole) => field.startsWith(whole)));
}
