import type { IncomingMessage } from "node:http";
import { invalid } from "../services/shared/kernel/errors";

/** What of a path means the same to every parser of addresses: the characters of RFC 3986's `pchar` that need no escape. */
const plainPath = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/;

/** The target of no route. */
const nowhere = "*";

/** Path and query of a request target in origin form or absolute form (RFC 9112 section 3.2), as they were sent. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? "";
  const address = target.slice(origin.length);
  const at = address.indexOf("?");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

/**
 * Gives a request the one spelling of its address that Express finds routes by: origin form, and in each segment only the escapes
 * that it needs. What was sent stays in `originalUrl`. A path that cannot be decoded leads nowhere; `requireDecodable` refuses it.
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
