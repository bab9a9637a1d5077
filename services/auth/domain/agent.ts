import { DomainError, type FieldViolation, invalid } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import type { Agent, AgentStatus } from "./directory";

/** A tenant's description of a new agent. */
export interface AgentRequest {
  tenant: string;
  email: string;
  businessName: string;
  externalId: string | undefined;
}

/** The states that an agent may move to from each state. REJECTED and CLOSED are final. */
const moves: Record<AgentStatus, readonly Exclude<AgentStatus, "PENDING_APPROVAL">[]> = {
  PENDING_APPROVAL: ["ACTIVE", "REJECTED", "CLOSED"],
  ACTIVE: ["SUSPENDED", "CLOSED"],
  SUSPENDED: ["ACTIVE", "CLOSED"],
  REJECTED: [],
  CLOSED: [],
};

/** Makes an agent that waits for approval. Throws INVALID_ARGUMENT with every failed field. */
export function createAgent(request: AgentRequest, id: string, createdAt: Date): Agent {
  const violations: FieldViolation[] = [];
  const check = (isGood: boolean, field: string, message: string): void => {
    if (!isGood) violations.push({ field, message });
  };
  const { email, businessName, externalId } = request;
  check(email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email), "email", "must be an e-mail address");
  check(businessName.trim() !== "" && businessName.length <= 140, "businessName", "must have 1 to 140 characters");
  check(externalId === undefined || isExternalId(externalId), "externalId", externalIdRule);
  if (violations.length > 0) throw invalid(violations);
  return { ...request, id, status: "PENDING_APPROVAL", createdAt, version: 1 };
}

/** The agent in its next state, or unchanged if already there. Throws RECORD_CONFLICT when its state forbids the move. */
export function moveAgent(agent: Agent, status: string): Agent {
  if (agent.status === status) return agent;
  const allowed = moves[agent.status];
  const next = allowed.find((candidate) => candidate === status);
  if (next === undefined) {
    throw new DomainError("RECORD_CONFLICT", "the agent's state does not allow this", {
      details: { status: agent.status, allowed },
    });
  }
  return { ...agent, status: next, version: agent.version + 1 };
}
