import { DomainError, type FieldViolation, hasReason, invalid } from "../shared/errors";
import type { CardTokens } from "./check-ports";
import {
  type Body,
  cardTokensOf,
  identify,
  type PaymentCommand,
  type PaymentIdentity,
  toCommand,
} from "./domain/payment-request";
import { type CheckedPayload, checkPayload, withoutParts } from "./payload-checker";
import type { Schemas } from "./ports";

interface ReadDeps {
  schemas: Schemas;
  cardTokens: CardTokens;
}

/** Reads the caller's id. Without one nothing can be looked up, so that the refusal names all else that is wrong, too. */
export async function identifyOrRefuse(
  deps: ReadDeps,
  tenant: string,
  body: Body,
  agentId: string | undefined,
): Promise<PaymentIdentity> {
  try {
    return identify(tenant, body, agentId);
  } catch (error) {
    const found = violationsOf(error);
    const nameless = { tenant, externalId: "", agentId, hashes: {} };
    throw invalid(unique([...found, ...(await readPayment(deps, nameless, body)).violations]));
  }
}

/** Reads a payment of any shape. Throws INVALID_ARGUMENT with every failed field; UNAVAILABLE when nobody can say. */
export async function requireCommand(deps: ReadDeps, identity: PaymentIdentity, body: Body): Promise<PaymentCommand> {
  const { command, violations } = await readPayment(deps, identity, body);
  if (command === undefined || violations.length > 0) throw invalid(violations);
  return command;
}

/** What a payment asks for, and all that is wrong with it: by the schemas, in its amounts, and of its card tokens. */
async function readPayment(
  { schemas, cardTokens }: ReadDeps,
  identity: PaymentIdentity,
  body: Body,
): Promise<{ command: PaymentCommand | undefined; violations: FieldViolation[] }> {
  const payload = await checkPayload(schemas, body.value);
  const { command, wrong } = commandOf(identity, payload, body);
  const found = unique([...payload.violations, ...wrong]);
  return { command, violations: [...found, ...(await unknownCards(cardTokens, payload, found))] };
}

function commandOf(
  identity: PaymentIdentity,
  payload: CheckedPayload,
  body: Body,
): { command: PaymentCommand | undefined; wrong: readonly FieldViolation[] } {
  try {
    return { command: toCommand(identity, payload, body), wrong: [] };
  } catch (error) {
    return { command: undefined, wrong: violationsOf(error) };
  }
}

/** A violation for each token of a right form that is no card's. */
async function unknownCards(
  cardTokens: CardTokens,
  payload: CheckedPayload,
  found: readonly FieldViolation[],
): Promise<FieldViolation[]> {
  const tokens = cardTokensOf(payload).filter(({ field }) => !found.some((violation) => violation.field === field));
  const asked = await Promise.all(
    tokens.map(async ({ field, token }) => ({ field, isKnown: await cardTokens.mayExist(token) })),
  );
  return asked.flatMap(({ field, isKnown }) => (isKnown ? [] : [{ field, message: "must be a known card token" }]));
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
