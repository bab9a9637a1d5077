import type { IncomingHttpHeaders } from "node:http";
import type { DomainError } from "../services/shared/kernel/errors";
import type { Peer } from "./peer";

/** Who calls, proven. */
export interface Caller {
  /** client:<id>, tenant:<slug>, agent:<id>, user:<id>, operator:<name> or operator:user:<id>: whose share of the limits it is, and who is audited. */
  name: string;
  /** Empty for an operator. */
  tenant: string;
  agentId?: string;
  /** What the access token allows. */
  scopes?: ReadonlySet<string>;
  /** Of an operator, or of one of a tenant's people. */
  roles?: ReadonlySet<string>;
  /** Id of the session of a person; absent for a token of the identity provider. */
  session?: string | undefined;
  /** When the session or token of a person ends. */
  until?: Date | undefined;
}

/** A proven caller, and why it may not do this, if so. An unproven one is thrown as UNAUTHENTICATED or ADDRESS_REFUSED. */
export interface Verdict {
  caller: Caller;
  refusal?: DomainError | undefined;
}

/** What a caller shows. */
export interface Presented {
  headers: IncomingHttpHeaders;
  peer: Peer;
}
