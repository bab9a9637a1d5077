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
 * Makes the look-up of a request's route: one step per path segment, however many routes there are. A literal segment wins
 * over a parameter, unless only the parameter's path has a route of the method. The look-up throws INVALID_ARGUMENT for malformed percent-encoding, ROUTE_NOT_FOUND, and
 * METHOD_NOT_ALLOWED with the methods that the path has. Two routes for the same requests do not start.
 */
export function makeRouteMap(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = newNode();
  for (const route of routes) addRoute(root, route);
  return (method, path) => {
    const wanted = method === "HEAD" ? "GET" : method;
    const found = findNode(root, { segments: decodeSegments(path), method: wanted }, 0, []);
    if (found === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
    const { node, values } = found;
    const end = node.routes.get(wanted);
    if (end === undefined) {
      const methods = [...node.routes.keys()].toSorted();
      const allowed = methods.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
      throw new DomainError("METHOD_NOT_ALLOWED", "the route does not take this method", { details: { allowed } });
    }
    return {
      route: end.route,
      params: Object.fromEntries(end.names.map((name, index) => [name, values[index] ?? ""])),
    };
  };
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

interface Found {
  node: Node;
  values: readonly string[];
}

function findNode(
  node: Node,
  request: { segments: readonly string[]; method: string },
  at: number,
  values: readonly string[],
): Found | undefined {
  const segment = request.segments[at];
  if (segment === undefined) return node.routes.size === 0 ? undefined : { node, values };
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : findNode(literal, request, at + 1, values);
  const isEnough = found?.node.routes.has(request.method) === true;
  if (isEnough || node.parameter === undefined || segment === "") return found;
  const other = findNode(node.parameter, request, at + 1, [...values, segment]);
  return found === undefined || other?.node.routes.has(request.method) === true ? other : found;
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
