import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "../context.ts";
import { Usage } from "../failures.ts";
import { keepSession, openOperator } from "./access.ts";

/** Parameters with which the identity provider redirects the browser. */
type CameBack = Readonly<Record<string, string>>;

const waitMs = 10 * 60_000;

/**
 * Logs an operator in: sends a browser to the identity provider, waits for its return on this machine's loopback (RFC 8252), and stores the
 * session in a file that only its owner can read. The proof key (PKCE) stays with the platform. Commands use the session until it ends.
 */
export async function logInOperator(context: Context, hasBrowser: boolean): Promise<object> {
  const { env, out, signal } = context;
  const { call } = openOperator(context, { isNobody: true });
  const { server, cameBack } = await awaitBrowser(signal);
  try {
    const { port } = server.address() as AddressInfo;
    const begun = await call("POST /login", { body: { redirectUri: `http://127.0.0.1:${port}/callback` } });
    out.say(`Open this in a browser on this machine:\n${begun.authorizationUrl}`);
    if (hasBrowser) openBrowser(begun.authorizationUrl);
    const { code = "", state = "", iss } = await cameBack;
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

/**
 * Explains what to do on a machine without a browser. The issuer may offer the device grant (RFC 8628); the platform's own login is bound
 * to the proof key that it keeps, so a device's token could not be exchanged for a session.
 */
export async function explainDevices(context: Context): Promise<never> {
  const { call } = openOperator(context, { isNobody: true });
  const begun = await call("POST /login", { body: { redirectUri: "http://127.0.0.1:1/callback" } });
  const offered = await deviceEndpoint(begun.authorizationUrl);
  throw new Usage(
    offered === undefined
      ? "the identity provider offers no device grant (RFC 8628): log in where a browser is, or set OPERATOR_TOKEN"
      : `the identity provider has a device grant at ${offered}: put the access token that it gives into OPERATOR_TOKEN`,
  );
}

/** Returns the address at which the issuer grants tokens to devices, by its published metadata; undefined if it does not. */
async function deviceEndpoint(authorizationUrl: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(authorizationUrl);
  const folders = pathname.split("/").slice(1, -1);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const issuer = [origin, ...folders.slice(0, depth)].join("/");
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined);
    if (answer?.ok !== true) continue;
    const { device_authorization_endpoint: endpoint } = (await answer.json()) as Record<string, unknown>;
    return typeof endpoint === "string" ? endpoint : undefined;
  }
  return undefined;
}

/** Opens the user's browser if there is one; the address is printed in any case. */
function openBrowser(address: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** Listens for one return of the browser from the provider. */
async function awaitBrowser(signal: AbortSignal): Promise<{ server: Server; cameBack: Promise<CameBack> }> {
  let take: (answer: CameBack) => void = () => {};
  const cameBack = new Promise<CameBack>((resolve, reject) => {
    take = resolve;
    setTimeout(() => reject(new Error("nobody came back from the identity provider")), waitMs).unref();
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
