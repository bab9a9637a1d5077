import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CorridorError } from "../../sdk/src/main.ts";
import type { Given, Option } from "../command.ts";
import type { Context } from "../context.ts";
import { NotLoggedIn } from "../failures.ts";
import type { Env } from "../profile.ts";
import { keepSession, openOperator } from "./access.ts";
import { logInByDevice } from "./device-log-in.ts";

/** Parameters with which the identity provider redirects the browser. */
type CameBack = Readonly<Record<string, string>>;

const waitMs = 10 * 60_000;

/** How a person reaches the identity provider: by a browser here, opened or by hand, or with a code in a browser of any machine. */
export type Way = "browser" | "byHand" | "device";

/** Options of a login, and the way that they choose. */
export const wayOptions = (when = ""): readonly Option[] => [
  {
    flags: "--device",
    does: `${when}with a code, in a browser of any machine; by itself where none can be opened here`,
  },
  { flags: "--no-browser", does: `${when}print the address only, for a browser on this machine` },
];
export const wayOf = ({ options }: Pick<Given, "options">): Way | undefined =>
  options["device"] === true ? "device" : options["browser"] === false ? "byHand" : undefined;

/**
 * Logs an operator in, and stores the session in a file that only its owner can read. Commands use it until it ends. Where no way is chosen
 * and no browser can be opened, a login with a code takes its place, if the identity provider offers one.
 */
export async function logInOperator(context: Context, chosen: Way | undefined): Promise<object> {
  const way = chosen ?? (hasBrowser(context.env) ? "browser" : "device");
  try {
    return await (way === "device" ? logInByDevice(context) : logInByBrowser(context, way));
  } catch (error) {
    if (context.signal.aborted) throw new NotLoggedIn("interrupted: you are not logged in");
    const next = chosen === undefined ? nextWay(error) : undefined;
    if (next === undefined) throw error;
    return logInOperator(context, next);
  }
}

function nextWay(error: unknown): Way | undefined {
  if (error instanceof NoBrowser) return "device";
  return error instanceof CorridorError && error.status === 404 ? "byHand" : undefined;
}

/** True if a browser of this machine shows up before the person: not on the far end of SSH, and not without a display. */
const hasBrowser = ({ SSH_CONNECTION: ssh, DISPLAY: x11, WAYLAND_DISPLAY: wayland }: Env): boolean =>
  ssh === undefined && (["darwin", "win32"].includes(process.platform) || x11 !== undefined || wayland !== undefined);

/**
 * Sends a browser to the identity provider, and waits for its return on this machine's loopback (RFC 8252). The proof key (PKCE) stays with
 * the platform.
 */
async function logInByBrowser(context: Context, way: "browser" | "byHand"): Promise<object> {
  const { env, out, signal } = context;
  const { call } = openOperator(context, { isNobody: true });
  const { server, cameBack } = await awaitBrowser(signal);
  try {
    const { port } = server.address() as AddressInfo;
    const begun = await call("POST /login", { body: { redirectUri: `http://127.0.0.1:${port}/callback` } });
    out.say(`Open this in a browser on this machine:\n${begun.authorizationUrl}`);
    const ways = way === "browser" ? [cameBack, openBrowser(begun.authorizationUrl, env)] : [cameBack];
    const { code = "", state = "", iss } = await Promise.race(ways);
    const { session, ...known } = await call("POST /login/answer", {
      body: { login: begun.login, code, state, ...(iss === undefined ? {} : { iss }) },
    });
    keepSession(env, session);
    return known;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

class NoBrowser extends Error {}

/** Opens the user's browser. Throws NoBrowser when that fails, and never returns. */
async function openBrowser(address: string, env: Env): Promise<never> {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [address], { stdio: "ignore", detached: true, env });
  child.unref();
  return new Promise((_resolve, reject) => {
    child.once("error", (cause) => reject(new NoBrowser("no browser can be opened", { cause })));
    child.once("exit", (code) => {
      if (code !== 0) reject(new NoBrowser(`${opener} has failed`));
    });
  });
}

/** Listens for one return of the browser from the provider. */
async function awaitBrowser(signal: AbortSignal): Promise<{ server: Server; cameBack: Promise<CameBack> }> {
  let take: (answer: CameBack) => void = () => {};
  const cameBack = new Promise<CameBack>((resolve, reject) => {
    take = resolve;
    setTimeout(() => reject(new Error("no login came back from the identity provider in time")), waitMs).unref();
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  // The code that waits for it may already have failed.
  cameBack.catch(() => {});
  const server = createServer(({ url = "/" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const isBack = pathname === "/callback" && searchParams.has("code");
    response.writeHead(isBack ? 200 : 404, { "content-type": "text/plain" });
    response.end(isBack ? "You are logged in; go back to the command line.\n" : "Nothing is here.\n");
    if (isBack) take(Object.fromEntries(searchParams));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, cameBack };
}
