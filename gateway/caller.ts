import type { IncomingHttpHeaders } from "node:http";
import type { DomainError } from "../services/shared/kernel/errors";
import type { Peer } from "./peer";

/** An authenticated caller. */
export interface Caller {
  /**
   * client:<id>, tenant:<slug>, agent:<id>, user:<id>, operator:<name> or operator:user:<id>: names the holder of the limits that apply,
   * and the actor in the audit log.
   */
  name: string;
  /** Empty for an operator. */
  tenant: string;
  agentId?: string;
  /** Scopes that the access token allows. */
  scopes?: ReadonlySet<string>;
  /** Roles of an operator, or of one of a tenant's people. */
  roles?: ReadonlySet<string>;
  /** Id of the session of a person; absent for a token of the identity provider. */
  session?: string | undefined;
  /** When the session or token of a person ends. */
  until?: Date | undefined;
}

/**
 * An authenticated caller, and the reason why it may not do this, if there is one. Unauthenticated callers are refused by throwing
 * UNAUTHENTICATED or ADDRESS_REFUSED.
 */
export interface Verdict {
  caller: Caller;
  refusal?: DomainError | undefined;
}

/** The credentials that a caller presents. */
export interface Presented {
  headers: IncomingHttpHeaders;
  peer: Peer;
}
