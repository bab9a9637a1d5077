import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { currentCall, runInCall } from "../services/shared/call-context";
import { type Clock, monotonicMs } from "../services/shared/clock";
import { type DomainError, type ErrorReason, hasReason } from "../services/shared/errors";
import type { Ids } from "../services/shared/ids";
import { errorFields, type Logger } from "../services/shared/logger";
import { asRefusal } from "../services/shared/rpc-errors";
import { parseTraceparent, type Tracing } from "../services/shared/tracing";
import type { Audit, AuditedCall } from "./audit";
import type { Authenticate, Caller, Presented, Verdict } from "./authenticate";
import type { LoadGate } from "./load-gate";
import type { Peer } from "./peer";
import { type Limits, overLimit, type RateLimiter, type Share, shareHeaders } from "./rate-limiter";
import { readBody } from "./read-body";
import { refusalFields } from "./refusal-fields";
import { publicErrors, renderError, renderOauthError } from "./render-error";
import type { RequestTime } from "./request-time";
import type { Answer, Call, Route } from "./route";
import type { Match } from "./route-map";
import type { TenantGate } from "./tenant-gate";

export interface HandleHttpDeps {
  findRoute(method: string, path: string): Match;
  authenticate: Authenticate;
  peerOf(request: IncomingMessage): Peer;
  gate: Pick<LoadGate, "enter">;
  limiter: Pick<RateLimiter, "take">;
  limits: Omit<Limits, "token" | "tokenFailure">;
  tenantGate: TenantGate;
  time: Pick<RequestTime, "extend">;
  audit: Audit;
  /** Told of every refused caller that nobody knows. */
  refusedAnonymous(reason: ErrorReason): void;
  logger: Logger;
  tracing: Tracing;
  requestServed(route: string, status: number, durationMs: number): void;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

/** One request as its own log line and headers show it. */
interface Served {
  requestId: string;
  route: Route | undefined;
  caller: Caller | undefined;
  share: Share | undefined;
  traceparent: string | undefined;
  refusal: DomainError | undefined;
}

/** Longest time in which a request is answered; the calls that it makes get what is left of it. */
const answerWithinMs = 10_000;

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Answers one request: finds its route, checks the credential, reads the body within its limits, runs the handler, and
 * renders whatever is thrown. It never fails.
 */
export function makeHandleHttp(deps: HandleHttpDeps): (request: IncomingMessage) => Promise<[Answer, string]> {
  return async (request) => {
    const startMs = monotonicMs();
    const served: Served = {
      requestId: requestIdOf(request, deps.ids),
      route: undefined,
      caller: undefined,
      share: undefined,
      traceparent: undefined,
      refusal: undefined,
    };
    const answer = withShare(await answerInCall(request, served, deps), served.share);
    const durationMs = monotonicMs() - startMs;
    const { route } = served;
    const name = routeName(route);
    deps.requestServed(name, answer.status, durationMs);
    if (route?.isQuiet !== true) {
      const { requestId, caller, traceparent } = served;
      const fields = { route: name, status: answer.status, durationMs: Math.round(durationMs * 10) / 10 };
      deps.logger.info(
        { ...fields, ...refusalFields(served.refusal), tenant: caller?.tenant, requestId, traceparent },
        "request",
      );
    }
    return [answer, served.requestId];
  };
}

/** Route of a request in logs, spans and metrics: never the address itself, which may name a payment. */
const routeName = (route: Route | undefined): string =>
  route === undefined ? "none" : `${route.method} ${route.path}`;

function requestIdOf(request: IncomingMessage, ids: Pick<Ids, "uuid">): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && requestIdPattern.test(given) ? given : ids.uuid();
}

async function answerInCall(request: IncomingMessage, served: Served, deps: HandleHttpDeps): Promise<Answer> {
  const given = request.headers["traceparent"];
  const traceparent = typeof given === "string" && parseTraceparent(given) !== undefined ? { traceparent: given } : {};
  const deadlineMs = deps.clock.now().getTime() + answerWithinMs;
  const refuse = (error: unknown): Answer => renderRefusal(asRefusal(error), request, served, deps.logger);
  return runInCall({ requestId: served.requestId, deadlineMs, ...traceparent }, async () => {
    try {
      const [path = "", query = ""] = splitAddress(request.url ?? "/");
      const { route, params } = deps.findRoute(request.method ?? "GET", path);
      served.route = route;
      const facts = { params, query };
      if (route.isQuiet === true) return await serve(request, facts, served, route, deps);
      const leave = deps.gate.enter();
      return await deps.tracing.span(routeName(route), { kind: "server" }, async () => {
        served.traceparent = currentCall()?.traceparent;
        try {
          return await serve(request, facts, served, route, deps);
        } catch (error) {
          // Only a failure of ours marks the span as failed; a refused request was served well.
          if (publicErrors[asRefusal(error).reason].status >= 500) throw error;
          return refuse(error);
        } finally {
          leave();
        }
      });
    } catch (error) {
      return refuse(error);
    }
  });
}

/** Path and query of a request target in origin form or absolute form (RFC 9112 section 3.2). */
function splitAddress(target: string): readonly string[] {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? "";
  const address = target.slice(origin.length);
  const at = address.indexOf("?");
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at + 1)];
}

type Facts = Pick<Call, "params" | "query">;

async function serve(
  request: IncomingMessage,
  facts: Facts,
  served: Served,
  route: Route,
  deps: HandleHttpDeps,
): Promise<Answer> {
  const { headers } = request;
  const peer = deps.peerOf(request);
  if (route.scheme === "none") {
    return route.handle({ ...facts, headers, peer, body: await readBody(request, route.body), stream: request });
  }
  const { caller, refusal } = await identify(route, { headers, peer }, deps);
  served.caller = caller;
  const audited = auditedCall(route, facts, caller, peer, served.requestId);
  let leave = (): void => {};
  let endUpload = (): void => {};
  try {
    leave = deps.tenantGate.enter(holderOf(caller));
    served.share = await takeShares(route, holderOf(caller), deps);
    if (!served.share.isAllowed) throw overLimit(served.share);
    if (refusal !== undefined) throw refusal;
    const isPrivileged = route.scheme === "operator" || route.isPrivileged === true;
    // What cannot be recorded does not happen.
    if (isPrivileged && route.method !== "GET") await deps.audit.record(audited, "begun");
    if (route.body === "file") endUpload = deps.time.extend(request);
    const answer = await handle(request, route, { ...facts, headers, peer }, caller);
    if (isPrivileged) await deps.audit.record(audited, "done");
    return answer;
  } catch (error) {
    const { reason } = asRefusal(error);
    if (isAudited(reason, route, facts, caller)) await deps.audit.tryRecord(audited, reason);
    throw error;
  } finally {
    endUpload();
    leave();
  }
}

/** Whose limits a request counts for: all credentials of a tenant together, each operator alone. */
const holderOf = ({ tenant, name }: Caller): string => (tenant === "" ? name : tenant);

/** One call out of each share that the route needs; answers the one that refuses, else the route's own. */
async function takeShares(
  { method, limit }: Route,
  holder: string,
  { limiter, limits }: Pick<HandleHttpDeps, "limiter" | "limits">,
): Promise<Share> {
  const share = await limiter.take(holder, method === "GET" ? limits.read : limits.write);
  return limit === undefined || !share.isAllowed ? share : limiter.take(holder, limits[limit]);
}

async function handle(
  request: IncomingMessage,
  route: Exclude<Route, { scheme: "none" }>,
  facts: Omit<Call, "body" | "stream">,
  { name, tenant, agentId = "" }: Caller,
): Promise<Answer> {
  const call = { ...facts, body: await readBody(request, route.body), stream: request };
  switch (route.scheme) {
    case "bearer":
    case "tenant":
      return route.handle({ ...call, tenant });
    case "agent":
      return route.handle({ ...call, tenant, agentId });
    case "operator":
      return route.handle({ ...call, operator: name.replace("operator:", "") });
  }
}

async function identify(
  route: Exclude<Route, { scheme: "none" }>,
  presented: Presented,
  { authenticate, refusedAnonymous }: HandleHttpDeps,
): Promise<Verdict> {
  try {
    switch (route.scheme) {
      case "bearer":
        return await authenticate.bearer(presented, route.scope);
      case "tenant":
        return await authenticate.tenantKey(presented);
      case "agent":
        return await authenticate.agentKeys(presented);
      case "operator":
        return await authenticate.operator(presented);
    }
  } catch (error) {
    if (hasReason(error, "UNAUTHENTICATED", "ADDRESS_REFUSED")) refusedAnonymous(error.reason);
    throw error;
  }
}

const auditedCall = (
  route: Route,
  { params }: Facts,
  { name, tenant }: Caller,
  { address }: Peer,
  requestId: string,
): AuditedCall => ({
  actor: name,
  tenant: tenant === "" ? (params["tenant"] ?? "") : tenant,
  action: routeName(route),
  object: Object.entries(params)
    .map(([param, value]) => `${param}=${value}`)
    .join(" "),
  requestId,
  address,
});

const accessReasons: ReadonlySet<ErrorReason> = new Set([
  "UNAUTHENTICATED",
  "AGENT_REFUSED",
  "SCOPE_MISSING",
  "ADDRESS_REFUSED",
]);

/**
 * Refusals that say who may do what: all of operators and of privileged routes, those of access, and a look at another
 * tenant's path. One that is over its share is not recorded, or a flood of calls would be one of records.
 */
function isAudited(reason: ErrorReason, route: Route, { params }: Facts, { tenant }: Caller): boolean {
  if (reason === "RATE_LIMITED") return false;
  const isForeign = route.scheme !== "operator" && params["tenant"] !== undefined && params["tenant"] !== tenant;
  return route.scheme === "operator" || route.isPrivileged === true || accessReasons.has(reason) || isForeign;
}

const withShare = (answer: Answer, share: Share | undefined): Answer =>
  share === undefined ? answer : { ...answer, headers: { ...answer.headers, ...shareHeaders(share) } };

function renderRefusal(refusal: DomainError, request: IncomingMessage, served: Served, logger: Logger): Answer {
  const { route, requestId } = served;
  served.refusal = refusal;
  if (refusal.reason === "INTERNAL") {
    logger.error({ route: routeName(route), requestId, ...errorFields(refusal) }, "request failed");
  }
  if (route?.errorForm === "oauth") return renderOauthError(refusal);
  const hasAuthorization = request.headers.authorization !== undefined;
  return renderError(refusal, { requestId, scheme: route?.scheme ?? "none", hasAuthorization });
}

/** Headers of every answer; a route's own replace them. */
const commonHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Writes an answer. While the gateway drains, each connection ends with the answer that it carries. */
export function sendAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
  facts: { requestId: string; isSecure: boolean; isDraining: boolean },
): void {
  response.writeHead(status, {
    ...commonHeaders,
    ...(facts.isSecure ? { "strict-transport-security": "max-age=31536000" } : {}),
    ...headers,
    ...(facts.isDraining ? { connection: "close" } : {}),
    ...(body === undefined ? {} : { "content-length": body.length }),
    "x-request-id": facts.requestId,
  });
  if (body === undefined || Buffer.isBuffer(body)) response.end(body);
  else if (response.req.method === "HEAD") response.end();
  // A body that cannot be completed breaks the connection off, so that its receiver does not take it for whole.
  else pipeline(body.content, response).catch(() => response.destroy());
}
