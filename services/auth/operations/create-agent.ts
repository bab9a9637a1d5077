import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { Profile } from "../../shared/kernel/profile";
import type { Transact } from "../../shared/storage/mongo";
import { type AgentRequest, createAgent } from "../domain/agent";
import { unbound } from "../domain/credential-bounds";
import type { CredentialHasher } from "../domain/credential-hash";
import type { Agent } from "../domain/directory";
import { newCredential } from "../domain/new-credential";
import type { AgentStore } from "../store/agent-store";
import type { CredentialStore } from "../store/credential-store";

export interface CreateAgentDeps {
  transact: Transact;
  agents: Pick<AgentStore, "add">;
  credentials: Pick<CredentialStore, "addFirst">;
  hasher: CredentialHasher;
  env: Profile;
  clock: Clock;
  ids: Ids;
  /** Traceparent of the current span. */
  traceparent(): string | undefined;
  /** Wakes the relay: an event waits in the outbox. */
  nudgeRelay(): void;
}

export type CreateAgent = (request: AgentRequest) => Promise<{ agent: Agent; apiKey: string }>;

/** Adds an agent that waits for approval, with its key and its event, in one transaction. */
export const makeCreateAgent =
  (deps: CreateAgentDeps): CreateAgent =>
  async (request) => {
    const { ids, env, hasher } = deps;
    const createdAt = deps.clock.now();
    const agent = createAgent(request, ids.uuid(), createdAt);
    const owner = { kind: "agent", tenant: agent.tenant, owner: agent.id } as const;
    const { text: apiKey, credential } = newCredential({ ...owner, env, hasher, ids, bounds: unbound, createdAt });
    await deps.transact(async (tx) => {
      await deps.agents.add(tx, agent, deps.traceparent());
      await deps.credentials.addFirst(tx, credential);
    });
    deps.nudgeRelay();
    return { agent, apiKey };
  };
