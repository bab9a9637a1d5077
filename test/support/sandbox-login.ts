import { type HttpAnswer, httpCall } from "../integration/gateway/http-call";
import { fieldOf, redirectUri, type Send } from "./log-in";
import { until } from "./platform-client";

/** Parameters with which the issuer of the sandbox redirects a browser. */
export interface CameBack {
  code: string;
  state: string;
  iss: string;
}

/** A browser with cookies; answers with the page, and where it is sent. */
function makeBrowser() {
  const cookies = new Map<string, string>();
  return async (
    address: string,
    form?: Record<string, string>,
  ): Promise<{ text: string; next: string | undefined }> => {
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
    if (status >= 400) throw new Error(`${address}: ${status} ${text.slice(0, 300)}`);
    const { location } = headers;
    return { text, next: location === undefined ? undefined : new URL(location, address).href };
  };
}

/** Follows the path of a browser: to the issuer, a click on a person, and back. */
export async function visitIssuer(
  authorizationUrl: string,
  person: string,
  factors: "one" | "two" = "two",
): Promise<CameBack> {
  const browse = makeBrowser();
  const visit = async (address: string, form?: Record<string, string>): Promise<string> => {
    const { text, next } = await browse(address, form);
    if (next === undefined) throw new Error(`${address}: ${text.slice(0, 300)}`);
    return next;
  };
  const page = await visit(authorizationUrl);
  let next = await visit(page, { person, factors });
  while (!new URL(next).pathname.endsWith("/callback")) next = await visit(next);
  const { code = "", state = "", iss = "" } = Object.fromEntries(new URL(next).searchParams);
  return { code, state, iss };
}

/** Enters the code of a device at the issuer, as a person does who then logs in or, without a name, refuses it. Returns the last page. */
export async function visitDevicePage(address: string, userCode: string, person: string | undefined): Promise<string> {
  const browse = makeBrowser();
  const xsrfOf = (text: string): string => /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const { text: input } = await browse(address);
  const { text: asked } = await browse(address, { xsrf: xsrfOf(input), user_code: userCode });
  const decision = person === undefined ? { abort: "yes" } : { confirm: "yes" };
  let { text, next } = await browse(address, { xsrf: xsrfOf(asked), user_code: userCode, ...decision });
  if (next !== undefined) ({ text, next } = await browse(next, { person: person ?? "", factors: "two" }));
  while (next !== undefined) ({ text, next } = await browse(next));
  return text;
}

/** Logs one of the sandbox's people in at a door: that of operators, or of a tenant's people. */
export async function logInAtSandbox(
  send: Send,
  person: string,
  { tenant, factors }: { tenant?: string; factors?: "one" | "two" } = {},
): Promise<HttpAnswer> {
  // Auth gives the issuer little time, and begins again for whoever asks again.
  const begun = await until(
    () => send("POST", "/login", { redirectUri, ...(tenant === undefined ? {} : { tenant }) }),
    ({ status }) => status < 500,
  );
  const answer = await visitIssuer(fieldOf(begun, "authorizationUrl"), person, factors);
  return send("POST", "/login/answer", { login: fieldOf(begun, "login"), ...answer });
}
