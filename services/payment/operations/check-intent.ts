import type { FieldViolation } from "../../shared/kernel/errors";
import { intentViolations } from "../domain/intent-rules";
import type { PaymentIdentity } from "../domain/payment-command";
import type { PaymentIntent } from "../domain/payment-intent";
import type { DetailsRules } from "../ports";

/** A payment as a caller has requested it. */
export interface PaymentRequest {
  identity: PaymentIdentity;
  intent: PaymentIntent;
  /** Violations of the message that contained it. */
  violations: readonly FieldViolation[];
}

/**
 * Returns every violation in the fields of a payment: of its message, of the rules that hold for every caller, and of the published
 * schemas. The acceptance of a payment and its preflight use the same check. Throws UNAVAILABLE when the schemas cannot be read.
 */
export async function checkIntent(
  rules: Pick<DetailsRules, "check">,
  { identity, intent, violations }: PaymentRequest,
): Promise<readonly FieldViolation[]> {
  return unique([...violations, ...intentViolations(intent, identity.agentId), ...(await rules.check(intent))]);
}

/** Returns the first violation of each field, and none for a part of a field that is missing. */
function unique(violations: readonly FieldViolation[]): readonly FieldViolation[] {
  const byField = new Map<string, FieldViolation>();
  for (const violation of violations) if (!byField.has(violation.field)) byField.set(violation.field, violation);
  const missing = [...byField.values()]
    .filter(({ message }) => message === "is required")
    .map(({ field }) => `${field}.`);
  return [...byField.values()].filter(({ field }) => !missing.some((whole) => field.startsWith(whole)));
}
