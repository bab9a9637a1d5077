import { askForBody } from "../awaited-body";
import type { Caller } from "../caller";
import { overLimit, type Share } from "../rate-limiter";
import { readBody } from "../read-body";
import type { ClosedRoute, OpenRoute, Route } from "../route";
import { holderOf } from "./check-credentials";
import { required, type Step } from "./exchange";
import type { HttpDeps } from "./http-deps";

/** Takes one of the places that the tenant has for requests that are worked on. */
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

/** One call out of each share that the route needs; answers the one that refuses, else the route's own or that of all. */
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

/** Gives the request the time of an upload, until it is answered. */
export const allowUpload =
  ({ time }: Pick<HttpDeps, "time">): Step =>
  (request, { locals }, next) => {
    locals.held.push(time.extend(request));
    next();
  };

/**
 * Reads the body, of the kind that the route takes and within its limit. One that does not come to its end takes a place of its
 * credential's own, and none of those in which the tenant's requests are worked on.
 */
export const takeBody =
  ({ body }: ClosedRoute, { bodies }: Pick<HttpDeps, "bodies">): Step =>
  async (request, response, next) => {
    const received = bodies.enter(required(response, "caller").name);
    request.body = await readBody(request, body, () => askForBody(response)).finally(received);
    next();
  };

/** Takes one of the places in which work is done: the request has come in whole. */
export const takePlace =
  ({ gate }: Pick<HttpDeps, "gate">): Step =>
  (_request, { locals }, next) => {
    locals.held.push(gate.enter());
    next();
  };

/**
 * Lets a file come in at one of the places that its credential has for bodies. Its request takes those of the tenant and of work when
 * the file is there, as every other body's does.
 */
export const takeFile =
  ({ bodies, tenantAdmission, gate }: Pick<HttpDeps, "bodies" | "tenantAdmission" | "gate">): Step =>
  (_request, response, next) => {
    const { locals } = response;
    const caller = required(response, "caller");
    locals.held.push(bodies.enter(caller.name));
    locals.arrived = () => {
      // What was answered already gives nothing back any more.
      if (response.headersSent) return;
      locals.held.push(tenantAdmission.enter(holderOf(caller)));
      locals.held.push(gate.enter());
    };
    askForBody(response);
    next();
  };

/** Takes a request that needs no credential out of what its address may have of them. */
export const askAsStranger =
  ({ strangers }: Pick<HttpDeps, "strangers">): Step =>
  (_request, response, next) => {
    strangers.ask(required(response, "peer").address);
    next();
  };

/** Reads the body of a stranger in one of the places that strangers have for that. */
export const takeStrangersBody =
  ({ body }: OpenRoute, { strangers }: Pick<HttpDeps, "strangers">): Step =>
  async (request, response, next) => {
    const received = strangers.receive(required(response, "peer").address);
    request.body = await readBody(request, body, () => askForBody(response)).finally(received);
    next();
  };

/** Takes one of the places in which strangers are worked for. */
export const takeStrangersPlace =
  ({ strangers }: Pick<HttpDeps, "strangers">): Step =>
  (_request, response, next) => {
    response.locals.held.push(strangers.enter(required(response, "peer").address));
    next();
  };
