import { readCallerText } from "../services/shared/kernel/caller-text";
import { DomainError, invalid } from "../services/shared/kernel/errors";
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
 * over a parameter among the routes that have the method: a literal path never hides an id of the same name from another
 * method. The look-up throws INVALID_ARGUMENT for malformed percent-encoding, ROUTE_NOT_FOUND, and METHOD_NOT_ALLOWED with
 * the methods that the path has. Two routes for the same requests do not start.
 */
export function makeRouteMap(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = newNode();
  for (const route of routes) addRoute(root, route);
  return (method, path) => {
    const search = {
      segments: decodeSegments(path),
      method: method === "HEAD" ? "GET" : method,
      methods: new Set<string>(),
    };
    const found = findRoute(search, root, 0, []);
    if (found !== undefined) return found;
    if (search.methods.size === 0) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
    const allowed = [...search.methods].toSorted().flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
    throw new DomainError("METHOD_NOT_ALLOWED", "the route does not take this method", { details: { allowed } });
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

interface Search {
  segments: readonly string[];
  method: string;
  /** The methods of every route that has the path, as they are met. */
  methods: Set<string>;
}

function findRoute(search: Search, node: Node, at: number, values: readonly string[]): Match | undefined {
  const segment = search.segments[at];
  if (segment === undefined) return endOf(search, node, values);
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : findRoute(search, literal, at + 1, values);
  if (found !== undefined || node.parameter === undefined || segment === "") return found;
  return findRoute(search, node.parameter, at + 1, [...values, segment]);
}

function endOf({ method, methods }: Search, node: Node, values: readonly string[]): Match | undefined {
  for (const name of node.routes.keys()) methods.add(name);
  const end = node.routes.get(method);
  if (end === undefined) return undefined;
  const params = Object.fromEntries(end.names.map((name, index) => [name, paramOf(name, values[index])]));
  return { route: end.route, params };
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
