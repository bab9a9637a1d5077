import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

/**
 * Opens a page in a browser without a window, which imports modules from a folder as `/modules/…` and reaches a gateway behind its
 * own origin, and returns what its program gave to `report`.
 */
export async function runInBrowser(
  browser: string,
  modules: string,
  gatewayUrl: string,
  program: string,
): Promise<unknown> {
  const page = `<!doctype html><script type="module">
const report = (value) => fetch("/report", { method: "POST", body: JSON.stringify(value) });
try {
${program}
} catch (error) { await report({ error: String(error?.stack ?? error) }); }
</script>`;
  let told: (value: unknown) => void = () => undefined;
  const result = new Promise<unknown>((resolve) => {
    told = resolve;
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/" } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (url === "/page") return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    if (url.startsWith("/modules/")) {
      const content = readFileSync(join(modules, normalize(url.slice("/modules/".length))));
      return void response.writeHead(200, { "content-type": "text/javascript" }).end(content);
    }
    if (url === "/report") {
      told(JSON.parse(body.toString("utf8")));
      return void response.writeHead(204).end();
    }
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const init = { method, headers: headers as Record<string, string>, ...(body.length === 0 ? {} : { body }) };
    const got = await fetch(`${gatewayUrl}${url}`, init);
    const bytes = Buffer.from(await got.arrayBuffer());
    response.writeHead(got.status, { "content-type": got.headers.get("content-type") ?? "" }).end(bytes);
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const profile = mkdtempSync(join(tmpdir(), "corridor-browser-"));
  const child = open(browser, profile, `http://127.0.0.1:${port}/page`);
  const ended = new Promise<unknown>((resolve) => {
    child.once("close", (code) => resolve({ error: `the browser ended with ${code}` }));
  });
  try {
    return await Promise.race([result, ended]);
  } finally {
    child.kill("SIGKILL");
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

const open = (browser: string, profile: string, url: string): ChildProcess =>
  spawn(
    browser,
    ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`, url],
    { stdio: "ignore" },
  );
