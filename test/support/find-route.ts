import type { Request } from "express";
import { makeRouter } from "../../gateway/make-router";
import type { Exchange, GatewayResponse, Step } from "../../gateway/middleware/exchange";
import { normalizeTarget } from "../../gateway/request-target";
import type { Route } from "../../gateway/route";

/** Makes a look-up of a request's route in the router of a table; undefined when none matches. */
export function makeFindRoute(table: readonly Route[]): (method: string, path: string) => Route | undefined {
  let found: Route | undefined;
  const note =
    (route: Route): Step =>
    () => {
      found = route;
    };
  const router = makeRouter(table, (route) => [note(route)]);
  return (method, path) => {
    found = undefined;
    const request = { method, url: path } as Request;
    normalizeTarget(request);
    router(request, { locals: {} as Exchange } as GatewayResponse, () => undefined);
    return found;
  };
}
