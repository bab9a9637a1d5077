import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { DomainError } from "../../services/shared/kernel/errors";
import { type BrowserSession, csrfOf } from "./browser-session";

/** Origin of the console: scheme, host and port as browsers write them. */
export type OriginOf = (headers: IncomingHttpHeaders) => string;

const forged = (message: string): DomainError => new DomainError("CROSS_SITE", message);

/**
 * Returns the configured origin, which every request must have; on one machine, any loopback name that the browser has used. A name that
 * another domain points at this machine is not accepted.
 */
export const makeOriginOf =
  (configured: string | undefined): OriginOf =>
  ({ host = "" }) => {
    if (configured === undefined) {
      if (/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host)) return `http://${host}`;
    } else if (new URL(configured).host === host) return configured;
    throw forged("the host is not that of the console");
  };

const isChange = (method = ""): boolean => method !== "GET" && method !== "HEAD";

/** Refuses requests that another site makes a browser send. A page of another site may link to ours and do nothing else. */
export function requireSameSite(
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  origin: string,
): void {
  const site = headers["sec-fetch-site"];
  if (isChange(method)) {
    if (site !== "same-origin") throw forged("sec-fetch-site must be same-origin");
    if (headers.origin !== origin) throw forged("origin must be that of the console");
  } else if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw forged("sec-fetch-site must be same-origin");
  }
}

/** Refuses a change that does not carry the session's own value, which only a page of the console can read. */
export function requireCsrf(
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  { token }: Pick<BrowserSession, "token">,
): void {
  if (!isChange(method)) return;
  const given = Buffer.from(String(headers["x-csrf"] ?? ""));
  const wanted = Buffer.from(csrfOf(token));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw forged("x-csrf must be the value that /api/me gives");
  }
}
