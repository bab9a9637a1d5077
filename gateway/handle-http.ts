import type { IncomingMessage } from "node:http";
import { cardRule, holdsCardNumber } from "../services/shared/kernel/card-number";
import { monotonicMs, systemClock } from "../services/shared/kernel/clock";
import { type DomainError, type ErrorReason, hasReason } from "../services/shared/kernel/errors";
import type { Ids } from "../services/shared/kernel/ids";
import { type CallSubject, currentCall, runInCall } from "../services/shared/process/call-context";
import { errorFields, type Logger } from "../services/shared/process/logger";
import { parseTraceparent, type Tracing } from "../services/shared/process/tracing";
import { asRefusal } from "../services/shared/rpc/rpc-errors";
import type { Audit, AuditedCall } from "./audit";
import type { Authenticate, Caller, Presented, Verdict } from "./authenticate";
import type { Doors } from "./doors";
import type { LoadGate } from "./load-gate";
import { type FourEyes, objectOf } from "./operator/four-eyes";
import type { Peer } from "./peer";
import { type Limits, overLimit, type RateLimiter, type Share, shareHeaders } from "./rate-limiter";
import { readBody } from "./read-body";
import { refusalFields } from "./refusal-fields";
import { publicErrors, renderError, renderOauthError } from "./render-error";
import { requireClearHead } from "./request-head";
import type { RequestTime } from "./request-time";
import type { Answer, Call, Patience, Route } from "./route";
import type { Match } from "./route-map";
import type { StrangerBudget } from "./stranger-budget";
import type { TenantGate } from "./tenant-gate";

export interface HandleHttpDeps {
  findRoute(method: string, path: string): Match;
  authenticate: Authenticate;
  peerOf(request: IncomingMessage): Peer;
  fourEyes: FourEyes;
  gate: Pick<LoadGate, "enter" | "requireCalm">;
  doors: Pick<Doors, "known">;
  strangers: StrangerBudget;
  limiter: Pick<RateLimiter, "take">;
  limits: Omit<Limits, "token" | "tokenFailure">;
  tenantGate: TenantGate;
  time: Pick<RequestTime, "extend">;
  audit: Audit;
  /** Told of every refused caller that nobody knows. */
  refusedAnonymous(reason: ErrorReason): void;
  /** Told of every request that was refused because a card number stood in it. */
  refusedCardNumber(): void;
  logger: Logger;
  tracing: Tracing;
  requestServed(route: string, status: number, durationMs: number): void;
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
  about: CallSubject;
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
      about: {},
    };
    const own = withShare(await answerInCall(request, served, deps), served.share);
    // A stranger who has had its share is counted and let go, or its requests would cost a line each and go on.
    const isOver = own.status === 429 && served.caller === undefined;
    const answer = isOver ? { ...own, headers: { ...own.headers, connection: "close" } } : own;
    const durationMs = monotonicMs() - startMs;
    const { route } = served;
    const name = routeName(route);
    deps.requestServed(name, answer.status, durationMs);
    if (route?.isQuiet !== true && !isOver) {
      const { requestId, caller, traceparent } = served;
      const fields = { route: name, status: answer.status, durationMs: Math.round(durationMs * 10) / 10 };
      deps.logger.info(
        {
          ...fields,
          ...served.about,
          ...refusalFields(served.refusal),
          tenant: caller?.tenant,
          requestId,
          traceparent,
        },
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
  // It stands in logs, in the audit log and in what other services write.
  const isGood = typeof given === "string" && requestIdPattern.test(given) && !holdsCardNumber(given);
  return isGood ? given : ids.uuid();
}

async function answerInCall(request: IncomingMessage, served: Served, deps: HandleHttpDeps): Promise<Answer> {
  const given = request.headers["traceparent"];
  const traceparent = typeof given === "string" && parseTraceparent(given) !== undefined ? { traceparent: given } : {};
  // A wait is in real time, whatever time it is for business.
  const deadlineMs = systemClock.now().getTime() + answerWithinMs;
  const refuse = (error: unknown): Answer => {
    const refusal = asRefusal(error);
    const isCard =
      refusal.message.endsWith(cardRule) || refusal.violations.some(({ message }) => message.endsWith(cardRule));
    if (isCard) deps.refusedCardNumber();
    return renderRefusal(refusal, request, served, deps.logger);
  };
  const { requestId, about } = served;
  return runInCall({ requestId, deadlineMs, about, ...traceparent }, async () => {
    try {
      requireClearHead(request);
      const [path = "", query = ""] = splitAddress(request.url ?? "/");
      const { route, params } = deps.findRoute(request.method ?? "GET", path);
      served.route = route;
      const facts = { params, query };
      if (route.isQuiet === true) return await serve(request, facts, served, route, deps);
      deps.gate.requireCalm();
      return await deps.tracing.span(routeName(route), { kind: "server" }, async () => {
        served.traceparent = currentCall()?.traceparent;
        try {
          return await serve(request, facts, served, route, deps);
        } catch (error) {
          // Only a failure of ours marks the span as failed; a refused request was served well.
          if (publicErrors[asRefusal(error).reason].status >= 500) throw error;
          return refuse(error);
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
  if (route.scheme === "none") return serveStranger(request, { ...facts, headers, peer }, route, deps);
  const { caller, refusal } = await identify(route, { headers, peer }, deps);
  served.caller = caller;
  if (hasProvenItself(refusal)) deps.doors.known(request, holderOf(caller));
  const audited = auditedCall(route, facts, caller, peer, served.requestId);
  let leave = (): void => {};
  let endUpload = (): void => {};
  try {
    leave = onceOnly(deps.tenantGate.enter(holderOf(caller)));
    served.share = await takeShares(route, holderOf(caller), deps);
    if (!served.share.isAllowed) throw overLimit(served.share);
    if (refusal !== undefined) throw refusal;
    const isPrivileged = route.scheme === "operator" || route.isPrivileged === true;
    // What cannot be recorded does not happen.
    if (isPrivileged && route.method !== "GET") await deps.audit.record(audited, "begun");
    if (route.body === "file") endUpload = deps.time.extend(request);
    const leaveTenant = (): void => leave();
    const answer = await handle(request, route, { ...facts, headers, peer }, caller, { ...deps, leaveTenant });
    if (isPrivileged) await deps.audit.record(audited, answer.outcome ?? "done");
    return answer;
  } catch (error) {
    const { reason } = asRefusal(error);
    if (isAudited(reason, route, facts, caller)) await deps.audit.recordRefusal(audited, reason);
    throw error;
  } finally {
    endUpload();
    leave();
  }
}

/** What a good credential does not allow leaves it a good one; one that works no more, or not from here, is none. */
const hasProvenItself = (refusal: DomainError | undefined): boolean =>
  refusal === undefined || hasReason(refusal, "SCOPE_MISSING", "ROLE_MISSING", "AGENT_REFUSED");

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

/** Takes one of the places in which work is done when the request has come in whole, and not before. */
async function handle(
  request: IncomingMessage,
  route: Exclude<Route, { scheme: "none" }>,
  facts: Omit<Call, "body" | "stream" | "patience">,
  { name, tenant, agentId = "", scopes = new Set(), roles = new Set() }: Caller,
  { gate, fourEyes, leaveTenant }: Pick<HandleHttpDeps, "gate" | "fourEyes"> & { leaveTenant(): void },
): Promise<Answer> {
  const body = await readBody(request, route.body);
  const leave = onceOnly(gate.enter());
  const patience = patienceOf(request, () => {
    leave();
    leaveTenant();
  });
  const call = { ...facts, body, stream: request, patience };
  try {
    switch (route.scheme) {
      case "bearer":
        return await route.handle({ ...call, tenant, scopes });
      case "tenant":
        return await route.handle({ ...call, tenant });
      case "agent":
        return await route.handle({ ...call, tenant, agentId });
      case "operator":
        return await fourEyes.carryOut(route, {
          ...call,
          operator: name.replace("operator:", ""),
          roles,
          approver: "",
        });
    }
  } finally {
    leave();
  }
}

/** A place is given back once. */
function onceOnly(leave: () => void): () => void {
  let isLeft = false;
  return () => {
    if (!isLeft) leave();
    isLeft = true;
  };
}

const patienceOf = ({ socket }: IncomingMessage, standAside: () => void): Patience => ({
  standAside,
  onGone(listener) {
    socket.once("close", listener);
    return () => void socket.off("close", listener);
  },
});

/** Serves a caller whom no credential names, out of what strangers may have of this process. */
async function serveStranger(
  request: IncomingMessage,
  facts: Omit<Call, "body" | "stream" | "patience">,
  route: Extract<Route, { scheme: "none" }>,
  { strangers, doors, refusedAnonymous }: HandleHttpDeps,
): Promise<Answer> {
  // Whom nobody knows waits for nothing.
  const call = { ...facts, stream: request, patience: patienceOf(request, () => {}) };
  if (route.isQuiet === true) return route.handle({ ...call, body: Buffer.alloc(0) });
  const { address } = facts.peer;
  if (route.proof === undefined) strangers.ask(address);
  const received = strangers.receive(address);
  const body = await readBody(request, route.body).finally(received);
  const leave = strangers.enter(address);
  try {
    // The token endpoint keeps account of its own tries: it knows which clients are none of a stranger's.
    const work = (): Promise<Answer> => route.handle({ ...call, body });
    const answer = await (route.proof === "signature" ? strangers.attempt(address, work) : work());
    if (route.proof !== undefined) doors.known(request, address);
    return answer;
  } catch (error) {
    if (hasReason(error, "UNAUTHENTICATED", "OAUTH_INVALID_CLIENT")) refusedAnonymous(error.reason);
    throw error;
  } finally {
    leave();
  }
}

async function identify(
  route: Exclude<Route, { scheme: "none" }>,
  presented: Presented,
  { authenticate, strangers, refusedAnonymous }: HandleHttpDeps,
): Promise<Verdict> {
  try {
    switch (route.scheme) {
      case "bearer":
        return await authenticate.bearer(presented, route.scope);
      case "tenant":
        return await authenticate.tenantKey(presented, route.scope);
      case "agent":
        return await authenticate.agentKeys(presented, route.scope);
      case "operator":
        return await authenticate.operator(presented, routeName(route));
    }
  } catch (error) {
    if (hasReason(error, "UNAUTHENTICATED", "ADDRESS_REFUSED")) refusedAnonymous(error.reason);
    // Tokens are judged here, and a good one is never refused for what others of its address do.
    const isToken = route.scheme === "bearer" || route.scheme === "operator";
    if (isToken && hasReason(error, "UNAUTHENTICATED")) strangers.fail(presented.peer.address);
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
  object: objectOf({ params }),
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
