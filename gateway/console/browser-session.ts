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

/** What the cookie holds: whose door the session is of, and its secret. Who lies about the first is refused by the auth service. */
export const sessionText = ({ token, isOperator }: BrowserSession): string =>
  (isOperator ? kinds.operator : kinds.tenant) + token;

/** The session of a request; undefined without one. */
export function readSession(cookies: Cookies, { cookie }: IncomingHttpHeaders): BrowserSession | undefined {
  const text = cookies.read(cookie, "corridor") ?? "";
  const [kind, token] = [text.slice(0, 2), text.slice(2)];
  const isKnown = kind === kinds.operator || kind === kinds.tenant;
  return isKnown && isSession(token) ? { token, isOperator: kind === kinds.operator } : undefined;
}

/** What pages of the console send with what they change. It follows from the session, so every replica knows it. */
export const csrfOf = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url");
