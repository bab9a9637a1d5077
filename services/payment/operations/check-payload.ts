import { type FieldViolation, hasReason } from "../../shared/kernel/errors";
import type { JsonObject } from "../../shared/kernel/json";
import { destinationCountry, ownField, type Payload, readPayload, shapeViolations } from "../domain/payload-shape";
import type { Schemas } from "../ports";

/** A body whose shape is known, with every rule of the published schemas that it breaks. */
export interface CheckedPayload extends Payload {
  violations: readonly FieldViolation[];
}

/**
 * Checks a payment of any shape against every published schema that applies: that of its shape, and for a push that of the
 * destination country. Violations name the fields as the caller wrote them. Throws UNAVAILABLE when the schemas cannot be
 * had.
 */
export async function checkPayload(schemas: Schemas, body: JsonObject): Promise<CheckedPayload> {
  const payload = readPayload(body);
  const general = await checkShape(schemas, payload, body);
  const special = await checkCountry(schemas, payload);
  const all = [...shapeViolations(payload, body), ...general, ...special];
  const byField = new Map(all.toReversed().map((violation) => [violation.field, violation]));
  return { ...payload, violations: withoutParts([...byField.values()].toReversed()) };
}

/** What looks mistyped in a push, in the caller's own names of the fields. Throws UNAVAILABLE like the check. */
export async function adviseOnPayload(schemas: Schemas, payload: Payload): Promise<readonly FieldViolation[]> {
  const country = destinationCountry(payload);
  if (country === undefined) return [];
  return inOwnWords(payload, await schemas.advise(country, payload.body));
}

/** A customer shape has a schema of its own, in its own words; the other two are checked in ours. */
async function checkShape(schemas: Schemas, payload: Payload, body: JsonObject): Promise<readonly FieldViolation[]> {
  switch (payload.shape) {
    case "schema":
      return inOwnWords(payload, await schemas.check("push", payload.body));
    case "customer":
      return schemas.check("customer", body);
    case "pull":
      return schemas.check("pull", body);
  }
}

async function checkCountry(schemas: Schemas, payload: Payload): Promise<readonly FieldViolation[]> {
  const { shape, destination, body } = payload;
  const country = destinationCountry(payload);
  if (destination === undefined || country === undefined) return [];
  const { field } = destination;
  try {
    const violations = await schemas.check(country, body);
    return inOwnWords(payload, shape === "customer" ? violations.filter(bindsCustomers) : violations);
  } catch (error) {
    if (!hasReason(error, "COUNTRY_UNSUPPORTED")) throw error;
    return [{ field, message: "must be the alpha-3 code of a country that is served" }];
  }
}

/** The customer shape says in its own schema who is paid; of a country it has to meet the currency, extras and method. */
const customerRules = [
  /^recipientAmount\b/,
  /^additionalData\b/,
  /^recipient\.paymentMethod\.(?:type|key|keyType|cardTokenId)$/,
];
const bindsCustomers = ({ field }: FieldViolation): boolean => customerRules.some((rule) => rule.test(field));

const inOwnWords = (payload: Payload, violations: readonly FieldViolation[]): FieldViolation[] =>
  violations.map(({ field, message }) => ({ field: ownField(payload, field), message }));

/** Says that an object is missing once, and not also each of its fields. */
export function withoutParts(violations: readonly FieldViolation[]): readonly FieldViolation[] {
  const missing = violations.filter(({ message }) => message === "is required").map(({ field }) => `${field}.`);
  return violations.filter(({ field }) => !missing.some((whole) => field.startsWith(whole)));
}
