import type { IncomingMessage } from "node:http";
import { invalid } from "../services/shared/kernel/errors";

/** Characters of a path that mean the same to every URL parser: those of RFC 3986's `pchar` that need no escape. */
const plainPath = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/;

/** A target that matches no route. */
const nowhere = "*";

/** Returns path and query of a request target in origin form or absolute form (RFC 9112 section 3.2), as they were sent. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? "";
  const address = target.slice(origin.length);
  const at = address.indexOf("?");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

/**
 * Normalises the address of a request to the spelling by which Express finds routes: origin form, and in each segment only the escapes that
 * it needs. The original stays in `originalUrl`. A path that cannot be decoded matches no route; `requireDecodable` refuses it.
 */
export function normalizeTarget(request: IncomingMessage): IncomingMessage & { originalUrl: string } {
  const sent = request.url ?? "/";
  const [path, query] = splitTarget(sent);
  return Object.assign(request, { originalUrl: sent, url: normalPath(path) + (query === "" ? "" : `?${query}`) });
}

/** Throws INVALID_ARGUMENT for a path with malformed escapes. */
export function requireDecodable(target: string): void {
  const [path] = splitTarget(target);
  if (path.includes("%") && decodeSegments(path) === undefined) {
    throw invalid([{ field: "path", message: "must be percent-encoded UTF-8" }]);
  }
}

function normalPath(path: string): string {
  if (!path.startsWith("/")) return nowhere;
  if (plainPath.test(path)) return path;
  return decodeSegments(path)?.map(encodeURIComponent).join("/") ?? nowhere;
}

function decodeSegments(path: string): readonly string[] | undefined {
  const segments = path.split("/");
  if (!path.includes("%")) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
