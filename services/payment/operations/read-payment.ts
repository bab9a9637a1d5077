import { DomainError, type FieldViolation, hasReason, invalid } from "../../shared/kernel/errors";
import { type Body, identify, type PaymentCommand, type PaymentIdentity, toCommand } from "../domain/payment-request";
import type { Schemas } from "../ports";
import { type CheckedPayload, checkPayload, withoutParts } from "./check-payload";

/** A payment whose every field is right. */
export interface ReadPayment {
  command: PaymentCommand;
  payload: CheckedPayload;
}

/** Reads the caller's id. Without one nothing can be looked up, so that the refusal names all else that is wrong, too. */
export async function identifyOrRefuse(
  schemas: Schemas,
  tenant: string,
  body: Body,
  agentId: string | undefined,
): Promise<PaymentIdentity> {
  try {
    return identify(tenant, body, agentId);
  } catch (error) {
    const nameless = { tenant, externalId: "", agentId, hashes: {} };
    const { violations } = await readFields(schemas, nameless, body);
    throw invalid(unique([...violationsOf(error), ...violations]));
  }
}

/** Reads a payment of any shape. Throws INVALID_ARGUMENT with every failed field; UNAVAILABLE when nobody can say. */
export async function readPayment(schemas: Schemas, identity: PaymentIdentity, body: Body): Promise<ReadPayment> {
  const { command, payload, violations } = await readFields(schemas, identity, body);
  if (command === undefined || violations.length > 0) throw invalid(violations);
  return { command, payload };
}

/** What a payment asks for, and all that is wrong with its fields: by the schemas, and by what no schema can say. */
async function readFields(
  schemas: Schemas,
  identity: PaymentIdentity,
  body: Body,
): Promise<{ command: PaymentCommand | undefined; payload: CheckedPayload; violations: readonly FieldViolation[] }> {
  const payload = await checkPayload(schemas, body.value);
  try {
    return { command: toCommand(identity, payload, body), payload, violations: payload.violations };
  } catch (error) {
    return { command: undefined, payload, violations: unique([...payload.violations, ...violationsOf(error)]) };
  }
}

function violationsOf(error: unknown): readonly FieldViolation[] {
  if (error instanceof DomainError && hasReason(error, "INVALID_ARGUMENT")) return error.violations;
  throw error;
}

/** The first violation of each field, and none of a part of what is missing. */
function unique(violations: readonly FieldViolation[]): readonly FieldViolation[] {
  const byField = new Map<string, FieldViolation>();
  for (const violation of violations) if (!byField.has(violation.field)) byField.set(violation.field, violation);
  return withoutParts([...byField.values()]);
}
