import { readCallerText } from "../services/shared/caller-text";
import { DomainError, invalid } from "../services/shared/errors";
import type { Route } from "./route";

/** A route and the decoded values of its path's parameters. */
export interface Match {
  route: Route;
  params: Readonly<Record<string, string>>;
}

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  /** Routes that end here, by method. */
  routes: Map<string, { route: Route; names: readonly string[] }>;
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() });

/**
 * Makes the look-up of a request's route: one step per path segment, however many routes there are. A literal path wins over
 * a parameter, whichever methods it has: what a path means does not depend on the method. The look-up throws INVALID_ARGUMENT
 * for malformed percent-encoding, ROUTE_NOT_FOUND, and METHOD_NOT_ALLOWED with the methods that the path has. Two routes for
 * the same requests do not start.
 */
export function makeRouteMap(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = newNode();
  for (const route of routes) addRoute(root, route);
  return (method, path) => {
    const found = findNode(root, decodeSegments(path), 0, []);
    if (found === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
    const { node, values } = found;
    const end = node.routes.get(method === "HEAD" ? "GET" : method);
    if (end === undefined) {
      const methods = [...node.routes.keys()].toSorted();
      const allowed = methods.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
      throw new DomainError("METHOD_NOT_ALLOWED", "the route does not take this method", { details: { allowed } });
    }
    return {
      route: end.route,
      params: Object.fromEntries(end.names.map((name, at) => [name, paramOf(name, values[at])])),
    };
  };
}

function paramOf(name: string, sent = ""): string {
  const read = readCallerText(sent);
  if ("problem" in read) throw invalid([{ field: name, message: read.problem }]);
  return read.value;
}

function addRoute(root: Node, route: Route): void {
  const names: string[] = [];
  let node = root;
  for (const segment of route.path.split("/").slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, next);
      node = next;
    } else {
      names.push(name);
      node.parameter ??= newNode();
      node = node.parameter;
    }
  }
  if (node.routes.has(route.method)) throw new Error(`two routes answer ${route.method} ${route.path}`);
  node.routes.set(route.method, { route, names });
}

function findNode(
  node: Node,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): { node: Node; values: readonly string[] } | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.routes.size === 0 ? undefined : { node, values };
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : findNode(literal, segments, at + 1, values);
  if (found !== undefined || node.parameter === undefined || segment === "") return found;
  return findNode(node.parameter, segments, at + 1, [...values, segment]);
}

function decodeSegments(path: string): readonly string[] {
  const segments = path.split("/").slice(1);
  if (!path.includes("%")) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    throw invalid([{ field: "path", message: "must be percent-encoded UTF-8" }]);
  }
}
