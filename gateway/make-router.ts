import express, { type RequestHandler, type Router } from "express";
import { DomainError } from "../services/shared/kernel/errors";
import type { Exchange, Step } from "./middleware/exchange";
import type { Route } from "./route";

/**
 * Makes the Express router of a route table: each path in Express's own form, with the steps that `stepsOf` names for each method. Express
 * takes the first path that matches, so the order is decided here: a literal segment comes before a parameter, and the hottest paths before
 * all others. A literal path without the request's method does not hide an id of the same name from a later path that has the method.
 * Throws for two routes that match the same requests.
 */
export function makeRouter(table: readonly Route[], stepsOf: (route: Route) => readonly Step[]): Router {
  requireDistinct(table);
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, routes] of inOrder(byPath(table))) {
    const row = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    for (const route of routes) row[verbs[route.method]](...stepsOf(route));
    row.all(noteMethods(routes.map(({ method }) => method)));
  }
  return router;
}

const verbs = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

/**
 * Refuses requests that no route has taken: if the path exists without the method, with the methods that it has; any other path as unknown.
 */
export const refuseUnrouted: Step = (_request, { locals: { methods } }) => {
  if (methods === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
  const allowed = [...methods].toSorted().flatMap((name) => (name === "GET" ? (["GET", "HEAD"] as const) : [name]));
  throw new DomainError("METHOD_NOT_ALLOWED", "the route does not take this method", { details: { methods: allowed } });
};

/** Remembers the methods of a path that a request matched without its own method. */
const noteMethods =
  (methods: readonly Route["method"][]): RequestHandler<Record<string, string>, unknown, unknown, unknown, Exchange> =>
  (_request, { locals }, next) => {
    locals.methods = new Set([...(locals.methods ?? []), ...methods]);
    next();
  };

/** Returns the routes of each path, also of the other paths of a route. */
function byPath(table: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const rows = table.flatMap((route) => pathsOf(route).map((path) => ({ path, route })));
  const grouped = Map.groupBy(rows, ({ path }) => path);
  return new Map([...grouped].map(([path, found]) => [path, found.map(({ route }) => route)]));
}

const pathsOf = ({ path, alsoAt = [] }: Route): readonly string[] => [path, ...alsoAt];

function requireDistinct(table: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path } of table.flatMap((route) => pathsOf(route).map((one) => ({ ...route, path: one })))) {
    const shape = `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
    if (seen.has(shape)) throw new Error(`two routes answer ${method} ${path}`);
    seen.add(shape);
  }
}

type RoutesOfPath = readonly [path: string, routes: readonly Route[]];

/** Returns the hot paths, with those that must come before one of them, and then all others. */
function inOrder(paths: ReadonlyMap<string, readonly Route[]>): readonly RoutesOfPath[] {
  const sorted = [...paths].toSorted(([a], [b]) => compare(rankOf(a), rankOf(b)));
  const hot = sorted.filter(([, routes]) => routes.some(({ isHot }) => isHot === true)).map(([path]) => path);
  const isEarly = ([path]: RoutesOfPath): boolean =>
    hot.some((one) => one === path || (overlap(one, path) && compare(rankOf(path), rankOf(one)) < 0));
  return [...sorted.filter(isEarly), ...sorted.filter((entry) => !isEarly(entry))];
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

/** Sorts literal segments before parameters, from the first segment on. */
const rankOf = (path: string): string =>
  path
    .split("/")
    .map((segment) => (isParameter(segment) ? "1" : "0"))
    .join("");

/** True for two paths that one address can match. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [one.split("/"), other.split("/")];
  const fits = (segment: string, at: number): boolean => {
    const beside = b[at] ?? "";
    return segment === beside || isParameter(segment) || isParameter(beside);
  };
  return a.length === b.length && a.every(fits);
}
