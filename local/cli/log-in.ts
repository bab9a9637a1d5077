import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { request } from "undici";
import { readAddress, send, sessionFile } from "./operator-access";

/** What the identity provider sends the browser back with. */
type CameBack = Readonly<Record<string, string>>;

const waitMs = 10 * 60_000;

/**
 * Logs an operator in: prints where the browser goes, waits for it on this machine, and keeps the session in a file that only its
 * owner reads. Commands go by it until it ends.
 */
export async function logIn(): Promise<boolean> {
  const { operatorUrl, dispatcher } = readAddress();
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { "content-type": "application/json" };
    const options = { method: "POST", headers, body: JSON.stringify(body), dispatcher } as const;
    const answer = await request(`${operatorUrl}${path}`, options);
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { server, cameBack } = await awaitBrowser();
  try {
    const { port } = server.address() as AddressInfo;
    const begun = await post("/login", { redirectUri: `http://127.0.0.1:${port}/callback` });
    console.log(`Open this in a browser on this machine:\n${String(begun["authorizationUrl"])}`);
    const { code = "", state = "", iss } = await cameBack;
    const answer = { login: begun["login"], code, state, ...(iss === undefined ? {} : { iss }) };
    const { session, roles } = await post("/login/answer", answer);
    mkdirSync(dirname(sessionFile()), { recursive: true, mode: 0o700 });
    writeFileSync(sessionFile(), JSON.stringify({ operatorUrl, session }), { mode: 0o600 });
    console.log(`logged in as ${String(roles)}`);
    return true;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Ends the session, here and there. */
export async function logOut(): Promise<boolean> {
  await send("DELETE", "/session");
  rmSync(sessionFile(), { force: true });
  return true;
}

/** Listens for the browser that comes back from the provider, once. */
async function awaitBrowser(): Promise<{ server: Server; cameBack: Promise<CameBack> }> {
  let take: (answer: CameBack) => void = () => {};
  const cameBack = new Promise<CameBack>((resolve, reject) => {
    take = resolve;
    setTimeout(() => reject(new Error("nobody came back from the identity provider")), waitMs).unref();
  });
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
