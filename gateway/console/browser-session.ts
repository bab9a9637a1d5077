import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSession } from "../people";
import type { Cookies } from "./cookies";

/** The session that a browser holds. */
export interface BrowserSession {
  /** Secret of the session. */
  token: string;
  isOperator: boolean;
}

const kinds = { operator: "o.", tenant: "t." } as const;

/**
 * The content of the cookie: the door that the session belongs to, and its secret. The auth service refuses a session for a door that is
 * not its own.
 */
export const sessionText = ({ token, isOperator }: BrowserSession): string =>
  (isOperator ? kinds.operator : kinds.tenant) + token;

/** Returns the session of a request; undefined without one. */
export function readSession(cookies: Cookies, { cookie }: IncomingHttpHeaders): BrowserSession | undefined {
  const text = cookies.read(cookie, "corridor") ?? "";
  const [kind, token] = [text.slice(0, 2), text.slice(2)];
  const isKnown = kind === kinds.operator || kind === kinds.tenant;
  return isKnown && isSession(token) ? { token, isOperator: kind === kinds.operator } : undefined;
}

/** Returns the value that pages of the console send with every change. It is derived from the session, so every replica can compute it. */
export const csrfOf = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url");
