import type { IncomingMessage, ServerResponse } from "node:http";
import { currentCall, runInCall } from "../services/shared/call-context";
import { type Clock, monotonicMs } from "../services/shared/clock";
import type { DomainError } from "../services/shared/errors";
import type { Ids } from "../services/shared/ids";
import { errorFields, type Logger } from "../services/shared/logger";
import { asRefusal } from "../services/shared/rpc-errors";
import { parseTraceparent, type Tracing } from "../services/shared/tracing";
import type { Authenticate } from "./authenticate";
import { readBody } from "./read-body";
import { publicErrors, renderError, renderOauthError } from "./render-error";
import type { Answer, Call, Route } from "./route";
import type { Match } from "./route-map";

export interface HandleHttpDeps {
  findRoute(method: string, path: string): Match;
  authenticate: Authenticate;
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
  tenant: string | undefined;
  traceparent: string | undefined;
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
      tenant: undefined,
      traceparent: undefined,
    };
    const answer = await answerInCall(request, served, deps);
    const durationMs = monotonicMs() - startMs;
    const { route } = served;
    const name = routeName(route);
    deps.requestServed(name, answer.status, durationMs);
    if (route?.isQuiet !== true) {
      const { requestId, tenant, traceparent } = served;
      const fields = { route: name, status: answer.status, durationMs: Math.round(durationMs * 10) / 10 };
      deps.logger.info({ ...fields, tenant, requestId, traceparent }, "request");
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
      if (route.isQuiet === true) return await serve(request, { params, query }, served, route, deps);
      return await deps.tracing.span(routeName(route), { kind: "server" }, async () => {
        served.traceparent = currentCall()?.traceparent;
        try {
          return await serve(request, { params, query }, served, route, deps);
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

async function serve(
  request: IncomingMessage,
  facts: Pick<Call, "params" | "query">,
  served: Served,
  route: Route,
  deps: HandleHttpDeps,
): Promise<Answer> {
  const { headers } = request;
  if (route.scheme === "none") return route.handle({ ...facts, headers, body: await readBody(request, route.body) });
  const tenant = await identify(route, headers, deps.authenticate);
  served.tenant = tenant;
  return route.handle({ ...facts, headers, tenant, body: await readBody(request, route.body) });
}

function identify(
  route: Exclude<Route, { scheme: "none" }>,
  headers: IncomingMessage["headers"],
  authenticate: Authenticate,
): Promise<string> {
  switch (route.scheme) {
    case "bearer":
      return authenticate.bearer(headers, route.scope);
    case "tenant":
      return authenticate.tenantKey(headers);
    case "agent":
      return authenticate.agentKeys(headers);
  }
}

function renderRefusal(refusal: DomainError, request: IncomingMessage, served: Served, logger: Logger): Answer {
  const { route, requestId } = served;
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
  response.end(body);
}
