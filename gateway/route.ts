import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { ErrorReason } from "../services/shared/kernel/errors";
import type { OperatorRole } from "../services/shared/kernel/roles";
import type { KeyScope, Scope } from "../services/shared/kernel/scopes";
import type { Peer } from "./peer";
import type { RouteLimit } from "./rate-limiter";

/** The credential that a route requires. */
export type Scheme = "none" | "bearer" | "tenant" | "agent" | "person" | "operator";

/**
 * What the body of a request must be: absent, JSON, JSON or absent where every field is optional (the handler then sees an
 * empty object), a form, any bytes, or a form with a file, which its handler reads.
 */
export type BodyKind = "none" | "json" | "optionalJson" | "form" | "bytes" | "file";

/** Calls for a request that waits for something to happen. */
export interface Patience {
  /** Gives back its places among the requests in flight. */
  standAside(): void;
  /**
   * Reports that a body in pieces has arrived in full: from here on the request has a place among those in flight. Throws RATE_LIMITED or
   * UNAVAILABLE when there is none. Changes nothing for any other body.
   */
  arrived(): void;
  /** Calls back when the caller hangs up; returns a function that cancels the callback. */
  onGone(listener: () => void): () => void;
}

/** One request as a handler sees it: transport, credential and limits have been checked. */
export interface Call {
  /** Decoded values of the `{…}` segments of the path, never empty. */
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  peer: Peer;
  /** Text after the question mark, as it was sent. */
  query: string;
  /** Empty unless the route takes a body that is read before it is handled. */
  body: Buffer;
  /** The body as it arrives, for a route that takes a file. */
  stream: Readable;
  patience: Patience;
}

/** A request with a credential of a tenant. */
export interface TenantCall extends Call {
  tenant: string;
}

/** A request with an access token of a tenant. */
export interface BearerCall extends TenantCall {
  /** Scopes that the token allows. */
  scopes: ReadonlySet<string>;
}

/** A request with credentials of a tenant and one of its agents: objects of other agents do not exist for it. */
export interface AgentCall extends TenantCall {
  agentId: string;
}

/** A request of one of a tenant's people. */
export interface PersonCall extends TenantCall {
  person: { userId: string; roles: readonly string[]; expiresAt: Date | undefined; session: string | undefined };
}

/** A request of an operator of the platform. */
export interface OperatorCall extends Call {
  /** Name of the operator who asks for it. */
  operator: string;
  /** Name of the second one who agreed; empty where one operator decides alone. */
  approver: string;
  /** Roles of the operator who sent it. */
  roles: ReadonlySet<OperatorRole>;
  /** Time at which the session or token ends; undefined: it does not expire. */
  until: Date | undefined;
  /** Id of the session; undefined for a token. */
  session: string | undefined;
}

/** The answer of a handler. Headers that it names replace the common ones. */
export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | StreamedBody;
  /** True for a body that all callers get from one shared copy. */
  isShared?: boolean;
  /** Outcome in the audit log of a command that was not carried out yet; `done` without it. */
  outcome?: "asked";
}

/** A body that is produced while it is sent. */
export interface StreamedBody {
  /** Bytes; undefined where the size is not known before the body is made. */
  length?: number;
  content: AsyncIterable<Buffer>;
}

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). */
export type DocumentSchema = Readonly<Record<string, unknown>>;

/** One parameter after the question mark. */
export interface QueryParameter {
  description: string;
  /** False when absent. */
  required?: boolean;
  schema: DocumentSchema;
}

interface RouteFacts {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `{…}` segments as parameters. */
  path: string;
  /**
   * Other paths with the same answers. The document leaves them out: `/wallets/transaction/balance` could be the transaction `balance`, or
   * the balance of the wallet `transaction`, and generators of servers refuse a document with such paths.
   */
  alsoAt?: readonly string[];
  summary: string;
  tag: string;
  body: BodyKind;
  requestSchema?: DocumentSchema;
  /** Bodies to show in the document, by name. Without them one is made from the schema. */
  requestExamples?: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Descriptions of the path's parameters, by name. */
  params?: Readonly<Record<string, string>>;
  /** Parameters of the query, by name. */
  query?: Readonly<Record<string, QueryParameter>>;
  success: {
    status: number;
    description: string;
    mediaType?: string;
    schema?: DocumentSchema;
    /** Another form of the same answer, for callers that ask for it in `Accept`. */
    also?: { mediaType: string; schema: DocumentSchema };
  };
  /** The token endpoint's refusals have the form of RFC 6749; all others the platform's own. */
  errorForm?: "oauth";
  /** The page of the console to which a browser that fails to authenticate on this route is sent, with the reason in `?failed=`. */
  failurePage?: string;
  /**
   * The part of the request that authenticates the caller on a route without a scheme: a caller that gets a successful answer is no longer
   * a stranger. A login at a device proves nothing yet: the caller who began it may ask about it, and stays a stranger.
   */
  proof?: "signature" | "client" | "login" | "device";
  /** True for probes: neither traced nor logged. */
  isQuiet?: boolean;
  /** True for the most requested routes: the router tries these paths first. */
  isHot?: boolean;
  /** A limit of the tenant for this kind of request, beside that of all its reads or writes. */
  limit?: RouteLimit;
  /** True for routes that change access: each call is in the audit log, before and after it is carried out. */
  isPrivileged?: boolean;
  /** True if the answer names its version in an entity tag, which a change may require in `If-Match`. */
  isTagged?: boolean;
  /** True if a request with the current entity tag is answered with 304. */
  isConditional?: boolean;
  /** True if a repeat of the same request gets the first answer, with Idempotency-Replayed. */
  isReplayed?: boolean;
  /** True for a POST that may be sent any number of times: it only reads, or each time makes something that need not be used. */
  isRepeatable?: boolean;
  /** Refusals beside those that follow from the scheme, the parameters and the body. */
  refusals: readonly ErrorReason[];
}

export interface OpenRoute extends RouteFacts {
  scheme: "none";
  handle(call: Call): Promise<Answer>;
}

/** True if a successful answer means that the caller has authenticated. */
export const isProving = ({ proof }: Pick<RouteFacts, "proof">): boolean => proof !== undefined && proof !== "device";

interface BearerRoute extends RouteFacts {
  scheme: "bearer";
  scope: Scope;
  handle(call: BearerCall): Promise<Answer>;
}

interface TenantRoute extends RouteFacts {
  scheme: "tenant";
  /** The scope that a key with bound scopes must include. */
  scope: KeyScope;
  handle(call: TenantCall): Promise<Answer>;
}

interface AgentRoute extends RouteFacts {
  scheme: "agent";
  /** The same for both keys. */
  scope: KeyScope;
  handle(call: AgentCall): Promise<Answer>;
}

/** A route for people only: no key of a program gives access to it. */
interface PersonRoute extends RouteFacts {
  scheme: "person";
  handle(call: PersonCall): Promise<Answer>;
}

export interface OperatorRoute extends RouteFacts {
  scheme: "operator";
  handle(call: OperatorCall): Promise<Answer>;
}

/** A route that asks for a credential. */
export type ClosedRoute = BearerRoute | TenantRoute | AgentRoute | PersonRoute | OperatorRoute;

/** One row of the route table. The router, the credential check and the OpenAPI document are made from these rows alone. */
export type Route = OpenRoute | ClosedRoute;

/** An answer with a JSON body. */
export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(value)) };
}

/** The answer to a request that leaves nothing to show. */
export const noContent: Answer = { status: 204 };

/** Returns the value of a parameter that the route's own path declares. */
export function requireParam(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`the route's path has no parameter ${name}`);
  return value;
}
