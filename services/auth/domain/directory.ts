import type { CredentialKind } from "../../shared/crypto/credential";
import type { Scope } from "../../shared/kernel/scopes";
import type { CredentialBounds } from "./credential-bounds";

export const agentStatuses = ["PENDING_APPROVAL", "ACTIVE", "REJECTED", "SUSPENDED", "CLOSED"] as const;

export type AgentStatus = (typeof agentStatuses)[number];

/** A customer of the platform. While it is disabled, none of its credentials works. */
export interface Tenant {
  slug: string;
  isDisabled: boolean;
  /** Networks in CIDR form. */
  allowlist: readonly string[];
  /** SHA-256 fingerprints of its client certificates, lower-case hex. */
  certificates: readonly string[];
  createdAt: Date;
}

/** A partner of a tenant with its own key. Only an ACTIVE agent is served. */
export interface Agent {
  id: string;
  tenant: string;
  status: AgentStatus;
  email: string;
  businessName: string;
  /** The tenant's own name for it, unique per tenant. */
  externalId: string | undefined;
  createdAt: Date;
  /** 1 at first, increased with every change. */
  version: number;
}

/** An OAuth client of a tenant. */
export interface Client {
  id: string;
  tenant: string;
  scopes: readonly Scope[];
  /** From then on the client gets no tokens and its existing ones do not work. */
  disabledAt: Date | undefined;
}

/** A stored credential: its owner and its keyed hash, never its text. An owner has at most two. */
export interface Credential {
  /** Public part of the credential. */
  id: string;
  kind: CredentialKind;
  tenant: string;
  /** Slug of the tenant, id of the agent or id of the client, by kind. */
  owner: string;
  hash: string;
  /** 1 or 2: prevents concurrent writers from adding a third credential. */
  slot: number;
  bounds: CredentialBounds;
  createdAt: Date;
  lastUsedAt: Date | undefined;
}

/** Slots of an owner's live credentials: the present one and, during a rotation, the next. */
export const credentialSlots = [1, 2] as const;
