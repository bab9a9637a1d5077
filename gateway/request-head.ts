import type { IncomingMessage } from "node:http";
import { type FieldViolation, invalid } from "../services/shared/kernel/errors";

/** Headers that may appear only once, since with two it would be unclear which one counts. */
const single: ReadonlySet<string> = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "x-agent-api-key",
  "x-agent-id",
  "x-api-key",
  "x-client-certificate",
  "x-signature",
]);

/** A name or an address, and a port (RFC 9112 section 3.2, RFC 3986 section 3.2.2) without user information. */
const hostPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]+|(?:%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** A request with its target and headers received. */
export type RequestHead = Pick<IncomingMessage, "rawHeaders" | "httpVersion" | "headers"> & {
  /** The target as it was sent. */
  originalUrl: string;
};

/** A target in absolute form (RFC 9112 section 3.2.2), and the host that it names. */
const absoluteForm = /^https?:\/\/([^/?]*)/i;

/** Throws INVALID_ARGUMENT for a request with an ambiguous target or ambiguous headers. */
export function requireClearHead({ originalUrl, rawHeaders, httpVersion, headers }: RequestHead): void {
  const seen = new Set<string>();
  const violations: FieldViolation[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (!single.has(name)) continue;
    if (seen.has(name)) violations.push({ field: name, message: "must be given once" });
    seen.add(name);
  }
  const { host, "transfer-encoding": coding } = headers;
  if (coding !== undefined && !/^[ \t]*chunked[ \t]*$/i.test(coding)) {
    violations.push({ field: "transfer-encoding", message: "must be chunked, and nothing else" });
  }
  if (coding !== undefined && httpVersion === "1.0") {
    violations.push({ field: "transfer-encoding", message: "must not be in a request of HTTP/1.0" });
  }
  const isNeeded = httpVersion === "1.1";
  if (!isNeeded && httpVersion !== "1.0") violations.push({ field: "request", message: "must be HTTP/1.1" });
  if (host === undefined ? isNeeded : !hostPattern.test(host)) {
    violations.push({ field: "host", message: "must be a host name and may have a port" });
  }
  const [, named] = absoluteForm.exec(originalUrl) ?? [];
  if (named !== undefined && !hostPattern.test(named)) {
    violations.push({ field: "request", message: "must name a host without user information" });
  }
  if (violations.length > 0) throw invalid(violations);
}
