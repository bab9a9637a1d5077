import { askForBody } from "../awaited-body";
import type { Caller } from "../caller";
import { overLimit, type Share } from "../rate-limiter";
import { readBody } from "../read-body";
import type { ClosedRoute, OpenRoute, Route } from "../route";
import { holderOf } from "./check-credentials";
import { required, type Step } from "./exchange";
import type { HttpDeps } from "./http-deps";

/** Takes one of the tenant's places for requests in progress. */
export const takeTenantPlace =
  ({ tenantAdmission }: Pick<HttpDeps, "tenantAdmission">): Step =>
  (_request, response, next) => {
    response.locals.held.push(tenantAdmission.enter(holderOf(required(response, "caller"))));
    next();
  };

/** Takes the request out of the caller's shares. */
export const takeShares =
  (route: Route, deps: Pick<HttpDeps, "limiter" | "limits">): Step =>
  async (_request, response, next) => {
    const share = await sharesOf(route, required(response, "caller"), deps);
    response.locals.share = share;
    if (!share.isAllowed) throw overLimit(share);
    next();
  };

/** Takes one call from each share that the route needs; returns the share that refuses, otherwise the route's own or that of all calls. */
async function sharesOf(
  { method, limit }: Route,
  caller: Caller,
  { limiter, limits }: Pick<HttpDeps, "limiter" | "limits">,
): Promise<Share> {
  const isRead = method === "GET";
  const own = isPerson(caller)
    ? await limiter.take(caller.name, isRead ? limits.userRead : limits.userWrite)
    : undefined;
  if (own?.isAllowed === false) return own;
  const holder = holderOf(caller);
  const share = await limiter.take(holder, isRead ? limits.read : limits.write);
  return limit === undefined || !share.isAllowed ? share : limiter.take(holder, limits[limit]);
}

const isPerson = ({ name }: Caller): boolean => /^(?:operator:)?user:/.test(name);

/** Grants the request the time of an upload, until it is answered. */
export const allowUpload =
  ({ time }: Pick<HttpDeps, "time">): Step =>
  (request, { locals }, next) => {
    locals.held.push(time.extend(request));
    next();
  };

/**
 * Reads the body, of the kind that the route takes and within its limit. An unfinished body takes one of its credential's own places, and
 * none of the tenant's places for requests in progress.
 */
export const takeBody =
  ({ body }: ClosedRoute, { bodies }: Pick<HttpDeps, "bodies">): Step =>
  async (request, response, next) => {
    const received = bodies.enter(required(response, "caller").name);
    request.body = await readBody(request, body, () => askForBody(response)).finally(received);
    next();
  };

/** Takes one of the places for work: the request has been received in full. */
export const takePlace =
  ({ gate }: Pick<HttpDeps, "gate">): Step =>
  (_request, { locals }, next) => {
    locals.held.push(gate.enter());
    next();
  };

/**
 * Receives a file in one of its credential's places for bodies. Its request takes a place of the tenant and one for work once the file has
 * arrived, like a request with any other body.
 */
export const takeFile =
  ({ bodies, tenantAdmission, gate }: Pick<HttpDeps, "bodies" | "tenantAdmission" | "gate">): Step =>
  (_request, response, next) => {
    const { locals } = response;
    const caller = required(response, "caller");
    locals.held.push(bodies.enter(caller.name));
    locals.arrived = () => {
      // A request that was already answered has no places to give back.
      if (response.headersSent) return;
      locals.held.push(tenantAdmission.enter(holderOf(caller)));
      locals.held.push(gate.enter());
    };
    askForBody(response);
    next();
  };

/** Counts a request without a credential against the share of its address. */
export const askAsStranger =
  ({ strangers }: Pick<HttpDeps, "strangers">): Step =>
  (_request, response, next) => {
    strangers.ask(required(response, "peer").address);
    next();
  };

/** Reads the body of a stranger in one of the places for strangers' bodies. */
export const takeStrangersBody =
  ({ body }: OpenRoute, { strangers }: Pick<HttpDeps, "strangers">): Step =>
  async (request, response, next) => {
    const received = strangers.receive(required(response, "peer").address);
    request.body = await readBody(request, body, () => askForBody(response)).finally(received);
    next();
  };

/** Takes one of the places for strangers' requests in progress. */
export const takeStrangersPlace =
  ({ strangers }: Pick<HttpDeps, "strangers">): Step =>
  (_request, response, next) => {
    response.locals.held.push(strangers.enter(required(response, "peer").address));
    next();
  };
