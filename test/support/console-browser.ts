import { type HttpAnswer, httpCall } from "../integration/gateway/http-call";
import { fieldOf } from "./log-in";

/** Deviations of a request from what a browser would send; undefined removes a header. */
export type HeaderChanges = Readonly<Record<string, string | undefined>>;

/** A browser with a page of the console: it keeps cookies, and sends the headers that browsers send by themselves. */
export interface ConsoleBrowser {
  cookies: Map<string, string>;
  csrf(): string;
  get(path: string, changes?: HeaderChanges): Promise<HttpAnswer>;
  send(method: string, path: string, body?: object, changes?: HeaderChanges): Promise<HttpAnswer>;
  /** Logs one of the people of a local platform in. */
  click(person: string): Promise<ConsoleBrowser>;
  /** Reads the session's own value for changes again, as a reloaded page does. */
  reload(): Promise<HttpAnswer>;
}

/** A console behind a proxy with another name or address. */
export interface OtherDoor {
  port: number;
  tls: { ca: string; servername: string };
}

export function openConsole(consoleUrl: string, other?: OtherDoor): ConsoleBrowser {
  const { port, origin } = new URL(consoleUrl);
  const cookies = new Map<string, string>();
  let csrf = "";
  const send = async (
    method: string,
    path: string,
    body?: object,
    changes: HeaderChanges = {},
  ): Promise<HttpAnswer> => {
    const own: HeaderChanges = {
      host: new URL(origin).host,
      "sec-fetch-site": "same-origin",
      ...(method === "GET" ? {} : { origin, "x-csrf": csrf }),
      ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...changes,
    };
    const headers = Object.fromEntries(
      Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const answer = await httpCall(other?.port ?? Number(port), path, {
      method,
      headers,
      ...(other === undefined ? {} : { tls: other.tls }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers["set-cookie"] ?? []) keep(cookies, cookie);
    return answer;
  };
  const browser: ConsoleBrowser = {
    cookies,
    csrf: () => csrf,
    get: (path, changes) => send("GET", path, undefined, changes),
    send,
    async click(person) {
      await send("POST", "/api/auth/local", { person });
      await browser.reload();
      return browser;
    },
    async reload() {
      const me = await send("GET", "/api/me");
      csrf = fieldOf(me, "csrf");
      return me;
    },
  };
  return browser;
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (value === "") cookies.delete(name);
  else cookies.set(name, value);
}
