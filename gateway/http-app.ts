import type { RequestListener } from "node:http";
import express, { type Express } from "express";
import { makeRouter, refuseUnrouted } from "./make-router";
import { answerRefusal, makeReply } from "./middleware/answer-request";
import { isPrivileged, nameCall, recordCommand } from "./middleware/audit-call";
import { checkCredentials, refuseCaller } from "./middleware/check-credentials";
import type { Step } from "./middleware/exchange";
import { handleProbe, handleRoute, handleStranger, type Reply } from "./middleware/handle-route";
import type { HttpDeps } from "./middleware/http-deps";
import { openExchange, requireClearRequest } from "./middleware/open-exchange";
import {
  allowUpload,
  askAsStranger,
  takeBody,
  takeFile,
  takePlace,
  takeShares,
  takeStrangersBody,
  takeStrangersPlace,
  takeTenantPlace,
} from "./middleware/take-places";
import { openSpan, readPeer, requireCalm, takeRoute } from "./middleware/take-route";
import { normalizeTarget } from "./request-target";
import { type ClosedRoute, isProving, type OpenRoute, type Route } from "./route";

/** Makes the Express application that serves a route table. */
export function makeHttpApp(table: readonly Route[], deps: HttpDeps): RequestListener {
  const reply = makeReply(deps);
  const app: Express = express();
  app.disable("etag");
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  app.use(openExchange(deps.ids), readPeer(deps.peerOf));
  app.use(requireClearRequest);
  for (const step of deps.enter) app.use(step);
  app.use(makeRouter(table, (route) => stepsOf(route, deps, reply)));
  // An unknown route is answered without a caller.
  app.use(askAsStranger(deps), refuseUnrouted);
  app.use(answerRefusal(reply, deps));
  return (request, response) => {
    // Express reads the address before any middleware runs.
    normalizeTarget(request);
    app(request, response);
  };
}

/** The middleware of one route, in the order in which its requests pass it. The last one is its handler. */
function stepsOf(route: Route, deps: HttpDeps, reply: Reply): readonly Step[] {
  if (route.scheme === "none" && route.isQuiet === true) return [takeRoute(route), handleProbe(route, reply)];
  const begun = [takeRoute(route), requireCalm(deps.gate), openSpan(route, deps.tracing)];
  return [
    ...begun,
    ...(route.scheme === "none" ? strangersSteps(route, deps, reply) : callersSteps(route, deps, reply)),
  ];
}

const strangersSteps = (route: OpenRoute, deps: HttpDeps, reply: Reply): readonly Step[] => [
  ...(isProving(route) ? [] : [askAsStranger(deps)]),
  takeStrangersBody(route, deps),
  takeStrangersPlace(deps),
  handleStranger(route, deps, reply),
];

const callersSteps = (route: ClosedRoute, deps: HttpDeps, reply: Reply): readonly Step[] => [
  checkCredentials(route, deps),
  nameCall(route),
  takeShares(route, deps),
  refuseCaller,
  ...(route.body === "file" ? [allowUpload(deps), takeFile(deps)] : [takeBody(route, deps), takeTenantPlace(deps)]),
  ...(isPrivileged(route) && route.method !== "GET" ? [recordCommand(deps)] : []),
  ...(route.body === "file" ? [] : [takePlace(deps)]),
  handleRoute(route, deps, reply),
];
