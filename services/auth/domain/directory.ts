import type { CredentialKind } from "../../shared/credential";
import type { Scope } from "./scope";

export const agentStatuses = ["PENDING_APPROVAL", "ACTIVE", "REJECTED", "SUSPENDED", "CLOSED"] as const;

export type AgentStatus = (typeof agentStatuses)[number];

/** A partner of a tenant that acts under its own key. Only an ACTIVE one is served. */
export interface Agent {
  id: string;
  tenant: string;
  status: AgentStatus;
}

/** An OAuth client of a tenant. */
export interface Client {
  id: string;
  tenant: string;
  scopes: readonly Scope[];
}

/** A stored credential: whose it is and its keyed hash, never its text. An owner may have several. */
export interface Credential {
  /** Public part of the credential. */
  id: string;
  kind: CredentialKind;
  tenant: string;
  /** Slug of the tenant, id of the agent or id of the client, by kind. */
  owner: string;
  hash: string;
}
