import { type HttpAnswer, httpCall } from "../integration/gateway/http-call";
import { fieldOf, redirectUri, type Send } from "./log-in";

/** Parameters with which the issuer of the sandbox redirects a browser. */
export interface CameBack {
  code: string;
  state: string;
  iss: string;
}

/** Follows the path of a browser: to the issuer, a click on a person, and back. */
export async function visitIssuer(
  authorizationUrl: string,
  person: string,
  factors: "one" | "two" = "two",
): Promise<CameBack> {
  const cookies = new Map<string, string>();
  const visit = async (address: string, form?: Record<string, string>): Promise<string> => {
    const { port, pathname, search } = new URL(address);
    const { status, headers, text } = await httpCall(Number(port), pathname + search, {
      method: form === undefined ? "GET" : "POST",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    });
    for (const cookie of headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    if (headers.location === undefined) throw new Error(`${address}: ${status} ${text.slice(0, 300)}`);
    return new URL(headers.location, address).href;
  };
  const page = await visit(authorizationUrl);
  let next = await visit(page, { person, factors });
  while (!new URL(next).pathname.endsWith("/callback")) next = await visit(next);
  const { code = "", state = "", iss = "" } = Object.fromEntries(new URL(next).searchParams);
  return { code, state, iss };
}

/** Logs one of the sandbox's people in at a door: that of operators, or of a tenant's people. */
export async function logInAtSandbox(
  send: Send,
  person: string,
  { tenant, factors }: { tenant?: string; factors?: "one" | "two" } = {},
): Promise<HttpAnswer> {
  const begun = await send("POST", "/login", { redirectUri, ...(tenant === undefined ? {} : { tenant }) });
  const answer = await visitIssuer(fieldOf(begun, "authorizationUrl"), person, factors);
  return send("POST", "/login/answer", { login: fieldOf(begun, "login"), ...answer });
}
