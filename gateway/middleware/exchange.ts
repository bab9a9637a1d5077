import type { RequestHandler, Response } from "express";
import type { DomainError } from "../../services/shared/kernel/errors";
import type { CallSubject } from "../../services/shared/process/call-context";
import type { AuditedCall } from "../audit";
import type { Caller } from "../caller";
import type { Peer } from "../peer";
import type { Share } from "../rate-limiter";
import type { Route } from "../route";

/** What the gateway has learned about one request: the `locals` of its response. */
export interface Exchange {
  requestId: string;
  startMs: number;
  /** The objects that the request is about, for its log line. */
  about: CallSubject;
  /** Methods of the paths that fit, while no route has been found. */
  methods?: ReadonlySet<Route["method"]>;
  /** The route that was found, and the decoded values of its path's parameters. */
  route?: Route;
  params?: Readonly<Record<string, string>>;
  peer?: Peer;
  caller?: Caller;
  /** True if something other than a credential has authenticated the caller: a signature, a login. */
  isProven?: boolean;
  /** Why the caller, who is known, may not do this. */
  refusalOfCaller?: DomainError;
  share?: Share;
  /** The request's name in the audit log; absent while the caller is unknown. */
  audited?: AuditedCall;
  /** The trace that the request's log line names. */
  traceparent?: string | undefined;
  /** Ends the span of the request, as failed if the failure was ours. */
  endSpan?: (failure?: unknown) => void;
  refusal?: DomainError;
  /** Takes the places of a request with a body in pieces, once the last piece has arrived. */
  arrived?: () => void;
  /** Gives back the places that the request holds, last taken first. */
  held: (() => void)[];
}

/** Middleware of the gateway. The body is what came in, once it has been read. */
export type Step = RequestHandler<Record<string, string>, unknown, Buffer, unknown, Exchange>;

export type GatewayResponse = Response<unknown, Exchange>;

/** Values that earlier middleware has set. */
export function required<Name extends keyof Exchange>(
  { locals }: Pick<GatewayResponse, "locals">,
  name: Name,
): NonNullable<Exchange[Name]> {
  const value = locals[name];
  if (value === undefined || value === null) throw new Error(`no middleware has set ${name}`);
  return value;
}

/** Route of a request in logs, spans and metrics: never the address itself, which may name a payment. */
export const routeName = (route: Route | undefined): string =>
  route === undefined ? "none" : `${route.method} ${route.path}`;
